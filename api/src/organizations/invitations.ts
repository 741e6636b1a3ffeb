import { randomBytes } from 'node:crypto';
import type { Call, Invitation, invitations } from '@riskboard/contract';
import { newId, type OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { activityRow, recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { linkHash } from '../lib/mail/link-token.ts';
import { actAsOwner } from './ownership.ts';

const validFor = sql<Date>`now() + interval '7 days'`;

const selectInvitations = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('invitation')
    .leftJoin('account', 'account.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.email',
      'invitation.role',
      'invitation.created_at',
      'invitation.expires_at',
      sql<boolean>`invitation.expires_at <= now()`.as('expired'),
      sql<string>`coalesce(nullif(trim(account.first_name || ' ' || account.last_name), ''), account.email::text, '')`.as(
        'invited_by',
      ),
    ]);

type InvitationRow = Awaited<ReturnType<ReturnType<typeof selectInvitations>['executeTakeFirstOrThrow']>>;

const presentInvitation = (row: InvitationRow): Invitation => ({
  _id: row.id,
  email: row.email,
  role: row.role,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  expired: row.expired,
  invitedBy: row.invited_by,
});

/** Invitations that are not accepted yet, newest first. */
export async function listInvitations(trx: OrganizationTransaction): Promise<Invitation[]> {
  const rows = await selectInvitations(trx)
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc')
    .execute();
  return rows.map(presentInvitation);
}

/** @throws Failure 409 on `email` when the address belongs to a member */
async function requireNonMember(trx: OrganizationTransaction, email: string): Promise<void> {
  const member = await trx
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .select('account.id')
    .where('account.email', '=', email)
    .executeTakeFirst();
  if (!member) return;
  const known = invalidField('email', 'This person is already a member.');
  throw new Failure('conflict', known.message, { details: known.details ?? [] });
}

/**
 * Invites an address for 7 days and requests the mail, if one may be sent. An open invitation of the address is replaced: its links end.
 * @returns the invitation and the secret of its link, of which only the hash is stored
 */
export async function invite(
  trx: OrganizationTransaction,
  caller: Caller,
  { email, role, mailed }: Call<typeof invitations.create>['body'] & { mailed: boolean },
): Promise<{ invitation: Invitation; token: string }> {
  await actAsOwner(trx, caller);
  await requireNonMember(trx, email);
  const token = randomBytes(32).toString('base64url');
  const fresh = {
    role,
    link_hash: linkHash(token),
    mail_hash: null,
    invited_by: caller.accountId,
    created_at: sql<Date>`now()`,
    expires_at: validFor,
  };
  const { id } = await trx
    .insertInto('invitation')
    .values({ organization_id: caller.organizationId, id: newId(), email, ...fresh })
    .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doUpdateSet({ email, ...fresh }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordActivity(trx, caller, {
    action: 'member.invited',
    nounId: id,
    name: email,
    detail: { role },
  });
  const { organizationId } = caller;
  if (mailed) await requestMail(trx, { kind: 'invitation', email, organizationId, subjectId: id });
  const row = await selectInvitations(trx).where('invitation.id', '=', id).executeTakeFirstOrThrow();
  return { invitation: presentInvitation(row), token };
}

/** @throws Failure 404 when the invitation was accepted or withdrawn */
export async function withdraw(trx: OrganizationTransaction, caller: Caller, id: string): Promise<void> {
  await actAsOwner(trx, caller);
  const withdrawn = await trx
    .deleteFrom('invitation')
    .where('id', '=', id)
    .returning(['email', 'role'])
    .executeTakeFirst();
  if (!withdrawn) throw new Failure('not_found');
  await recordActivity(trx, caller, {
    action: 'invitation.withdrawn',
    nounId: id,
    name: withdrawn.email,
    detail: { role: withdrawn.role },
  });
}

/** Ends the open invitations that a person made: without owner rights they may not invite (contract, Accounts). */
export async function endInvitationsOf(
  trx: OrganizationTransaction,
  caller: Caller,
  accountId: string,
): Promise<void> {
  const ended = await trx
    .deleteFrom('invitation')
    .where('invited_by', '=', accountId)
    .returning(['id', 'email', 'role'])
    .execute();
  if (ended.length === 0) return;
  const entries = ended.map(({ id, email, role }) =>
    activityRow(caller, { action: 'invitation.withdrawn', nounId: id, name: email, detail: { role } }),
  );
  await trx.insertInto('activity').values(entries).execute();
}
