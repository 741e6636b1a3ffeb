import { sql } from 'kysely';
import { anyOf } from '../any-of.ts';
import { type LockTransaction, takeLock } from './lock-order.ts';
import { rowLock } from './row-lock.ts';

const advisory = (text: string) => sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`;

const firstAccountKey = 7_241_001;

export async function lockFirstAccount(trx: LockTransaction): Promise<void> {
  takeLock(trx, { name: 'first account', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(${firstAccountKey})`.execute(trx);
}

export async function lockLoginAddress(trx: LockTransaction, network: string): Promise<void> {
  takeLock(trx, { name: 'login address', key: network, strength: 'exclusive' });
  await advisory(`login ${network}`).execute(trx);
}

/** @param subject what the email is about; several are taken in alphabetical order */
export async function lockEmailSubject(
  trx: LockTransaction,
  { subject, hash }: { subject: string; hash: string },
): Promise<void> {
  takeLock(trx, { name: 'email subject', key: subject, strength: 'exclusive' });
  await advisory(`reset ${hash}`).execute(trx);
}

/**
 * The row of one member, for a transaction that changes the saved views or report schedules of this member: they are
 * counted, and have one default view of a list.
 */
export async function lockMembership(trx: LockTransaction, accountId: string): Promise<void> {
  await trx
    .selectFrom('membership')
    .select('account_id')
    .where('account_id', '=', accountId)
    .modifyEnd(rowLock(trx, { name: 'membership', id: accountId, mode: 'no key update' }))
    .execute();
}

/** Every membership of an organization that is being deleted, under the system role. @returns the account ids */
export async function lockMemberships(trx: LockTransaction, organizationId: string): Promise<string[]> {
  takeLock(trx, { name: 'membership', strength: 'update' });
  const members = await trx
    .selectFrom('membership')
    .select('account_id')
    .where('organization_id', '=', organizationId)
    .orderBy('account_id')
    .forUpdate()
    .execute();
  return members.map((member) => member.account_id);
}

/**
 * The row of one account, for a transaction that changes it or what belongs to it. Password, email address and second
 * factor of an account are changed one after the other.
 */
export async function lockAccount(trx: LockTransaction, id: string): Promise<void> {
  await trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(rowLock(trx, { name: 'account', id, mode: 'no key update' }))
    .execute();
}

/** Accounts that may be deleted, or whose email addresses move to another account. Unknown ids are ignored. */
export async function lockAccounts(trx: LockTransaction, ids: readonly string[]): Promise<void> {
  const sorted = [...new Set(ids)].toSorted();
  for (const id of sorted) takeLock(trx, { name: 'account', key: id, strength: 'update' });
  if (sorted.length === 0) return;
  await trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', anyOf(sorted))
    .orderBy('id')
    .forUpdate()
    .execute();
}
