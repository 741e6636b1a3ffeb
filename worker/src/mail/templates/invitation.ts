import type { InvitationTable } from '@riskboard/db';
import { sql } from 'kysely';
import { product } from '../email.ts';
import { type EmailTemplate, formatTime } from './email-template.ts';
import { unlinkedText } from './plain-text.ts';
import { makeSecretLink } from './secret-link.ts';

const roleTexts: Readonly<Record<InvitationTable['role'], string>> = {
  owner: 'an owner: you can do everything, including managing members and the organization',
  analyst: 'an analyst: you can view and edit everything except members',
  viewer: 'a viewer: you can see everything and change nothing',
};

interface OpenInvitation {
  email: string;
  role: InvitationTable['role'];
  expires_at: Date;
  organization: string;
  /** Of the inviting account; null if it no longer exists. */
  name: string | null;
  address: string | null;
}

/** `Ada Lovelace (ada@example.org)`, or `A member` if the account no longer exists. */
const inviter = ({ name, address }: OpenInvitation): string =>
  address === null ? 'A member' : name ? `${unlinkedText(name)} (${address})` : address;

/** The link of an open invitation; nothing is sent for one that was withdrawn, used or has expired. */
export const invitationEmail: EmailTemplate = async ({ system, origin }, { organizationId, subjectId }) => {
  const link = makeSecretLink(origin, '/invitation');
  const { rows } = await sql<OpenInvitation>`
    update invitation i set mail_hash = ${link.hash}
    from organization o
    where i.organization_id = ${organizationId} and i.id = ${subjectId} and i.expires_at > now()
      and o.organization_id = i.organization_id and o.deleting_at is null
    returning i.email::text, i.role, i.expires_at, o.name as organization,
      (select trim(first_name || ' ' || last_name) from account where id = i.invited_by) as name,
      (select email::text from account where id = i.invited_by) as address`.execute(system);
  const [invitation] = rows;
  if (!invitation) return undefined;
  const organization = unlinkedText(invitation.organization);
  return {
    to: invitation.email,
    subject: organization
      ? `Invitation to ${organization} on ${product}`
      : `Invitation to an organization on ${product}`,
    paragraphs: [
      'Hello,',
      `${inviter(invitation)} invited you to ${organization || 'an organization'} on ${product}, a cyber-risk dashboard for security teams, as ${roleTexts[invitation.role]}.`,
      `The invitation is for ${invitation.email} and valid until ${formatTime(invitation.expires_at)}.`,
    ],
    action: { label: 'See the invitation', url: link.url },
    notes: ['If you do not know who invited you, ignore this email: nothing will change.'],
  };
};
