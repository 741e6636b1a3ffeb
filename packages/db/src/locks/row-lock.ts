import { type RawBuilder, sql } from 'kysely';
import {
  isHeld,
  type LockName,
  LockOrderError,
  type LockTransaction,
  type RowLockMode,
  takeLock,
} from './lock-order.ts';

const clauses: Record<RowLockMode, RawBuilder<unknown>> = {
  'key share': sql`for key share`,
  'no key update': sql`for no key update`,
  update: sql`for update`,
};

type RowLockName = Extract<
  LockName,
  'organization' | 'membership' | 'account' | 'import' | 'batch' | 'file' | 'record' | 'job'
>;

/** One row that a statement is about to lock. */
interface RowLock {
  name: RowLockName;
  /** Absent for the organization that the transaction is in. */
  id?: string;
  mode: RowLockMode;
}

/**
 * The clause that locks the one row of a query: `.modifyEnd(rowLock(trx, …))`, or the end of a raw statement.
 * `update` for a row that may be deleted, `no key update` for one that is changed.
 */
export function rowLock(trx: LockTransaction, { name, id = '', mode }: RowLock): RawBuilder<unknown> {
  takeLock(trx, { name, key: id, strength: mode });
  return clauses[mode];
}

/** Records the row that the next UPDATE or DELETE locks by itself. */
export function expectRowLock(trx: LockTransaction, lock: { name: RowLockName; id: string }): void {
  takeLock(trx, { name: lock.name, key: lock.id, strength: 'update' });
}

/** The clause that locks many records, in any order: only under 'assertions'. */
export function manyRecordsLock(trx: LockTransaction, mode: RowLockMode): RawBuilder<unknown> {
  if (!isHeld(trx, 'assertions')) throw new LockOrderError('assertions', 'record');
  takeLock(trx, { name: 'record', strength: mode });
  return clauses[mode];
}

/** The clause that locks projects that are deleted: only under 'assets'. */
export function deletedProjectsLock(trx: LockTransaction): RawBuilder<unknown> {
  if (!isHeld(trx, 'assets')) throw new LockOrderError('assets', 'project');
  return clauses.update;
}

/**
 * The clause for rows to which new rows will refer: the lock that their foreign keys take, before the rows are looked up, so
 * that a deletion is waited for first. Not in the order, like the locks of foreign keys.
 * @param table alias of the rows
 */
export const foreignKeyLock = (table: string): RawBuilder<unknown> => sql`for key share of ${sql.ref(table)}`;

/** For a worker that takes any free row and never waits: such a lock cannot be part of a cycle, so it has no rank. */
export const skipLocked = sql`for update skip locked`;
