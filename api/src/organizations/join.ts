import { createHash } from 'node:crypto';
import type { Role } from '@riskboard/contract';
import type { Schema } from '@riskboard/db';
import { type Kysely, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';

/** 32 random bytes need no slow hash. */
export const invitationHash = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface OpenInvitation {
  id: string;
  organizationId: string;
  organization: string;
  email: string;
  role: Role;
  invitedBy: string;
}

/** Why a link does not open: never which of the reasons. */
export const spentInvitation = () =>
  new Failure('not_found', 'This invitation is no longer valid. Ask for a new one.');

/** The invitation of a link or mail, under the system's role: whoever holds it is in no organisation yet. */
export async function findInvitation(
  system: Kysely<Schema>,
  token: string,
): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select i.id, i.organization_id as "organizationId", o.name as organization, i.email::text, i.role,
      coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), a.email::text, '') as "invitedBy"
    from invitation i
    join organization o using (organization_id)
    left join account a on a.id = i.invited_by
    where ${invitationHash(token)} in (i.link_hash, i.mail_hash) and i.expires_at > now()
      and o.deleting_at is null`.execute(system);
  return rows[0];
}

/**
 * Makes the account a member by an invitation, which is used up. Somebody who is one already stays as they are.
 * @throws Failure 404 when it is spent, or meant for another address
 */
export async function takeInvitation(
  system: Kysely<Schema>,
  { token, accountId, email }: { token: string; accountId: string; email: string },
): Promise<OpenInvitation> {
  const invitation = await findInvitation(system, token);
  if (!invitation || invitation.email.toLowerCase() !== email.trim().toLowerCase()) throw spentInvitation();
  const taken = await system
    .deleteFrom('invitation')
    .where('organization_id', '=', invitation.organizationId)
    .where('id', '=', invitation.id)
    .executeTakeFirst();
  if (taken.numDeletedRows === 0n) throw spentInvitation();
  await system
    .insertInto('membership')
    .values({ organization_id: invitation.organizationId, account_id: accountId, role: invitation.role })
    .onConflict((conflict) => conflict.columns(['organization_id', 'account_id']).doNothing())
    .execute();
  return invitation;
}
