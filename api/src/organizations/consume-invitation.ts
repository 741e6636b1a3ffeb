import type { Role } from '@riskboard/contract';
import type { Schema } from '@riskboard/db';
import { type Kysely, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import { markVerified } from '../accounts/email-change/verification.ts';
import { linkHash } from '../lib/mail/link-token.ts';

export interface OpenInvitation {
  id: string;
  organizationId: string;
  organization: string;
  email: string;
  role: Role;
  invitedBy: string;
  /** The link came by mail, which proves that its holder reads the mailbox. */
  mailed: boolean;
}

/** One reply for unknown, used and expired links, so that the reason is not revealed. */
export const invalidInvitation = () =>
  new Failure('not_found', 'This invitation is no longer valid. Ask the inviter for a new one.');

/**
 * The invitation of a link, read under the system's role because the reader is not a member yet. It is valid only while
 * the person who made it may invite.
 */
export async function findInvitation(
  system: Kysely<Schema>,
  token: string,
): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select i.id, i.organization_id as "organizationId", o.name as organization, i.email::text, i.role,
      coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), a.email::text, '') as "invitedBy",
      coalesce(i.mail_hash = ${linkHash(token)}, false) as mailed
    from invitation i
    join organization o using (organization_id)
    left join account a on a.id = i.invited_by
    where ${linkHash(token)} in (i.link_hash, i.mail_hash) and i.expires_at > now()
      and o.deleting_at is null and exists (
        select from membership m
        where m.organization_id = i.organization_id and m.account_id = i.invited_by and m.role = 'owner')`.execute(
    system,
  );
  return rows[0];
}

/**
 * Makes the account, which the caller has locked, a member and deletes the invitation. An existing member keeps their role.
 * @throws Failure 404 when the invitation is invalid or for another address
 */
export async function consumeInvitation(
  system: Kysely<Schema>,
  { token, accountId, email }: { token: string; accountId: string; email: string },
): Promise<OpenInvitation> {
  const invitation = await findInvitation(system, token);
  if (!invitation || invitation.email.toLowerCase() !== email.trim().toLowerCase()) throw invalidInvitation();
  const deleted = await system
    .deleteFrom('invitation')
    .where('organization_id', '=', invitation.organizationId)
    .where('id', '=', invitation.id)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw invalidInvitation();
  await system
    .insertInto('membership')
    .values({
      organization_id: invitation.organizationId,
      account_id: accountId,
      role: invitation.role,
      invited: true,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'account_id']).doNothing())
    .execute();
  if (invitation.mailed) await markVerified(system, accountId);
  return invitation;
}
