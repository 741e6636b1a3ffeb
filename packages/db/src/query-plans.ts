import { sql } from 'kysely';
import type { OrganizationTransaction } from './with-organization.ts';

/**
 * Runs the work with plans that read rows in the order of an index. The planner expects 1/200 of a table in each
 * organization (decision 0020), and would collect and sort all rows of one with more.
 */
export const readingInOrder = <T>(trx: OrganizationTransaction, work: () => Promise<T>): Promise<T> =>
  withoutPlans(trx, ['enable_sort', 'enable_bitmapscan'], work);

/** The same for conditions that themselves need bitmap scans. */
export const withoutSorting = <T>(trx: OrganizationTransaction, work: () => Promise<T>): Promise<T> =>
  withoutPlans(trx, ['enable_sort'], work);

/** Runs the work with plans that stop at a limit, where the planner would collect the places of all rows first. */
export const stoppingSoon = <T>(trx: OrganizationTransaction, work: () => Promise<T>): Promise<T> =>
  withoutPlans(trx, ['enable_bitmapscan'], work);

/** Runs the work with plans that join rows which indexes hold in the order of the join, and stop at a limit. */
export const mergingIndexes = <T>(trx: OrganizationTransaction, work: () => Promise<T>): Promise<T> =>
  withoutPlans(
    trx,
    ['enable_sort', 'enable_bitmapscan', 'enable_seqscan', 'enable_nestloop', 'enable_hashjoin'],
    work,
  );

/** Runs the work without nested loops, where the planner would compare each row of one table with each of another. */
export const joiningByHash = <T>(trx: OrganizationTransaction, work: () => Promise<T>): Promise<T> =>
  withoutPlans(trx, ['enable_nestloop'], work);

interface Joined {
  tables: readonly string[];
  /** Rows of one organization that are joined, at least. */
  count: number;
}

/**
 * Runs the work by {@link joiningByHash} where the statistics of a table are older than these rows, as after a deletion
 * of everything that is followed by a large upload. The planner then expects one row of each organization and takes any index
 * for as short as another, so that a nested loop may compare each row with all others.
 */
export async function joiningRows<T>(
  trx: OrganizationTransaction,
  { tables, count }: Joined,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ known: number }>`
    select min(reltuples) as known from pg_class where oid = any (${tables}::regclass[])`.execute(trx);
  return (rows[0]?.known ?? 0) < count ? joiningByHash(trx, work) : work();
}

/** Up to this many rows a plan that reads a whole table for each of them is fast enough. */
const fewRows = 16;

/**
 * For a change of so many rows that foreign keys then look up one after the other. PostgreSQL keeps the plans of foreign keys for a
 * connection until the next analyze of their tables: one that it made while a table had few rows reads all rows of the table
 * for each changed row, also right after an import of thousands. They are made again with the sizes that the tables have now.
 */
export async function planForeignKeysAgain(trx: OrganizationTransaction, rows: number): Promise<void> {
  if (rows > fewRows) await sql`discard plans`.execute(trx);
}

async function withoutPlans<T>(
  trx: OrganizationTransaction,
  settings: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const outer = turnedOff.get(trx) ?? [];
  const names = settings.filter((name) => !outer.includes(name));
  const set = (value: 'on' | 'off') =>
    names.length === 0
      ? undefined
      : sql`select ${sql.join(names.map((name) => sql`set_config(${name}, ${value}, true)`))}`.execute(trx);
  await set('off');
  turnedOff.set(trx, [...outer, ...names]);
  const result = await work();
  turnedOff.set(trx, outer);
  await set('on');
  return result;
}

/** Settings that a transaction has turned off now. An error ends the transaction, and with it the settings. */
const turnedOff = new WeakMap<OrganizationTransaction, readonly string[]>();
