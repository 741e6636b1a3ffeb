import type { ActivityAction, ActivityDetail, Member, Role } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { sql } from 'kysely';
import { recordRemovedSessions } from '../sessions/removed-sessions.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { endInvitationsOf } from './invitations.ts';
import { actAsOwner, lockOrganization, requireAnotherOwner, requireConfirmed } from './ownership.ts';

/** Members with the columns of the contract. */
const selectMembers = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .select([
      'account.id',
      'account.email',
      'account.first_name',
      'account.last_name',
      'membership.role',
      'membership.created_at',
    ])
    .select(({ selectFrom }) => [
      sql<boolean>`account.totp_enabled_at is not null`.as('second_factor'),
      selectFrom('session')
        .select(({ fn }) => fn.max('session.last_used_at').as('at'))
        .whereRef('session.account_id', '=', 'membership.account_id')
        .as('last_seen_at'),
    ]);

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>;

const presentMember = (row: MemberRow, caller: Caller): Member => ({
  _id: row.id,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  role: row.role,
  secondFactor: row.second_factor,
  joinedAt: row.created_at.toISOString(),
  lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  self: row.id === caller.accountId,
});

/** All members, sorted by name. */
export async function listMembers(trx: OrganizationTransaction, caller: Caller): Promise<Member[]> {
  const rows = await selectMembers(trx)
    .orderBy(sql`lower(first_name), lower(last_name), email`)
    .execute();
  return rows.map((row) => presentMember(row, caller));
}

/** @throws Failure 404 when the account is not a member */
export async function findMember(
  trx: OrganizationTransaction,
  caller: Caller,
  accountId: string,
): Promise<Member> {
  const row = await selectMembers(trx).where('membership.account_id', '=', accountId).executeTakeFirst();
  if (!row) throw new Failure('not_found');
  return presentMember(row, caller);
}

type MemberAction = Extract<ActivityAction, `member.${string}` | 'organization.handed-over'>;

/** Records what was done to a member, under the member's name. */
const recordMember = (
  trx: OrganizationTransaction,
  caller: Caller,
  {
    action,
    member,
    detail = {},
  }: { action: MemberAction; member: Member; detail?: ActivityDetail<MemberAction> },
): Promise<void> =>
  recordActivity(trx, caller, {
    action,
    nounId: member._id,
    name: actorOf(member),
    detail,
  });

const writeRole = (trx: OrganizationTransaction, accountId: string, role: Role) =>
  trx.updateTable('membership').set({ role }).where('account_id', '=', accountId).execute();

/**
 * Changes a member's role.
 * @throws Failure 404; 409 for the last owner; 422 on `password` for another owner without confirmation
 */
export async function setRole(
  trx: OrganizationTransaction,
  caller: Caller,
  { accountId, role, confirmed }: { accountId: string; role: Role; confirmed: boolean },
): Promise<Member> {
  await actAsOwner(trx, caller);
  const member = await findMember(trx, caller, accountId);
  if (member.role === role) return member;
  if (member.role === 'owner') {
    await requireAnotherOwner(trx, accountId);
    requireConfirmed(confirmed, 'take owner rights');
    await endInvitationsOf(trx, caller, accountId);
  }
  await writeRole(trx, accountId, role);
  const detail = { changes: { role: { from: member.role, to: role } } };
  await recordMember(trx, caller, { action: 'member.role-changed', member, detail });
  return { ...member, role };
}

/** Makes another member the owner; the caller becomes an analyst. */
export async function transferOwnership(
  trx: OrganizationTransaction,
  caller: Caller,
  accountId: string,
): Promise<void> {
  await actAsOwner(trx, caller);
  const successor = await findMember(trx, caller, accountId);
  if (successor.self) throw new Failure('conflict', 'You are already the owner. Choose another member.');
  await writeRole(trx, successor._id, 'owner');
  await writeRole(trx, caller.accountId, 'analyst');
  await endInvitationsOf(trx, caller, caller.accountId);
  await recordMember(trx, caller, { action: 'organization.handed-over', member: successor });
}

/** What a member loses: ids of sessions and tokens, to publish their end. */
export interface EndedAccess {
  sessions: string[];
  tokens: string[];
}

/** Ends the sessions and deletes the tokens of a member in this organization. */
async function endAccess(trx: OrganizationTransaction, accountId: string): Promise<EndedAccess> {
  const sessions = await trx
    .updateTable('session')
    .set({ ended_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute();
  const tokens = await trx
    .deleteFrom('api_token')
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  return { sessions: sessions.map(({ id }) => id), tokens: tokens.map(({ id }) => id) };
}

/**
 * Ends the sessions and API tokens of another member; their membership stays (ASVS 5.0, 7.4.5).
 * @throws Failure 404; 409 for the caller, who has "log out everywhere"
 */
export async function endSessions(
  trx: OrganizationTransaction,
  caller: Caller,
  accountId: string,
): Promise<EndedAccess> {
  await actAsOwner(trx, caller);
  const member = await findMember(trx, caller, accountId);
  if (member.self)
    throw new Failure(
      'conflict',
      'End your own sessions with "Log out everywhere" in your security settings.',
    );
  const ended = await endAccess(trx, accountId);
  const detail = { ended: ended.sessions.length, tokensRevoked: ended.tokens.length };
  await recordMember(trx, caller, { action: 'member.sessions-ended', member, detail });
  return ended;
}

/** Deletes a membership with its sessions, tokens and invitations. @returns ids of sessions and tokens that ended */
async function endMembership(
  trx: OrganizationTransaction,
  caller: Caller,
  accountId: string,
): Promise<string[]> {
  await endInvitationsOf(trx, caller, accountId);
  const { sessions, tokens } = await endAccess(trx, accountId);
  if (accountId !== caller.accountId) await recordRemovedSessions(trx, caller.organizationId, sessions);
  await trx.deleteFrom('membership').where('account_id', '=', accountId).execute();
  return [...sessions, ...tokens];
}

/**
 * Removes another member.
 * @throws Failure 404; 409 for the caller: leaving requires the password; 422 on `password` for an owner without confirmation
 */
export async function removeMember(
  trx: OrganizationTransaction,
  caller: Caller,
  { accountId, confirmed }: { accountId: string; confirmed: boolean },
): Promise<string[]> {
  await actAsOwner(trx, caller);
  const member = await findMember(trx, caller, accountId);
  if (member.self) {
    await requireAnotherOwner(trx, accountId);
    throw new Failure('conflict', 'You cannot remove yourself. Leave the organization instead.');
  }
  if (member.role === 'owner') requireConfirmed(confirmed, 'remove an owner');
  await recordMember(trx, caller, { action: 'member.removed', member, detail: { role: member.role } });
  return endMembership(trx, caller, accountId);
}

/** @throws Failure 409 for the last owner */
export async function leave(trx: OrganizationTransaction, caller: Caller): Promise<string[]> {
  await lockOrganization(trx);
  const member = await findMember(trx, caller, caller.accountId);
  if (member.role === 'owner') await requireAnotherOwner(trx, caller.accountId);
  await recordMember(trx, caller, { action: 'member.left', member, detail: { role: member.role } });
  return endMembership(trx, caller, caller.accountId);
}
