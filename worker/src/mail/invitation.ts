import type { InvitationTable } from '@riskboard/db';
import { sql } from 'kysely';
import { product } from './letter.ts';
import { plainText, unlinkedText } from './plain-text.ts';
import { makeSecretLink } from './secret-link.ts';
import { moment, type WriteLetter } from './write-letter.ts';

const roleTexts: Readonly<Record<InvitationTable['role'], string>> = {
  owner: 'an owner, who may do everything',
  analyst: 'an analyst, who may do everything but manage members',
  viewer: 'a viewer, who may read everything',
};

interface Invited {
  email: string;
  role: InvitationTable['role'];
  expires_at: Date;
  organization: string;
  name: string | null;
  address: string | null;
}

/** `Ada Lovelace (ada@example.org)`; whoever has left since is a member all the same. */
const inviter = ({ name, address }: Invited): string =>
  address === null ? 'A member' : name ? `${unlinkedText(name)} (${address})` : address;

/** The link of an invitation that is still open; one that was withdrawn, used or ran out is not mentioned again. */
export const writeInvitation: WriteLetter = async ({ system, origin }, { organizationId, subjectId }) => {
  const link = makeSecretLink(origin, '/invitation');
  const { rows } = await sql<Invited>`
    update invitation i set mail_hash = ${link.hash}
    from organization o
    where i.organization_id = ${organizationId} and i.id = ${subjectId} and i.expires_at > now()
      and o.organization_id = i.organization_id and o.deleting_at is null
    returning i.email::text, i.role, i.expires_at, o.name as organization,
      (select trim(first_name || ' ' || last_name) from account where id = i.invited_by) as name,
      (select email::text from account where id = i.invited_by) as address`.execute(system);
  const [invited] = rows;
  if (!invited) return undefined;
  const organization = plainText(invited.organization);
  return {
    to: invited.email,
    subject: organization
      ? `Invitation to ${organization} on ${product}`
      : `Invitation to an organization on ${product}`,
    paragraphs: [
      'Hello,',
      `${inviter(invited)} invites you to ${organization ? unlinkedText(organization) : 'an organization'} on ${product}, a cyber-risk dashboard for security teams. You would be ${roleTexts[invited.role]}.`,
      `The invitation is for ${invited.email} and valid until ${moment(invited.expires_at)}.`,
    ],
    action: { label: 'See the invitation', url: link.url },
    notes: ['If you do not know who invites you, ignore this mail: nothing happens then.'],
  };
};
