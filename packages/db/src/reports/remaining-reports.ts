import { idsShown } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { ChangeCount } from '../changes.ts';
import { joiningRows } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { RecordTableName } from './assertions.ts';
import { type Reported, takeReported } from './reported-values.ts';

/** SQL: the name of the newest file that asserts the row `record`; empty when none does. */
export const newestFileOf = (table: RecordTableName): RawBuilder<string> => sql<string>`coalesce((
  select newest.name from report_record other
  cross join lateral (
    select name, uploaded_at from report_file
    where organization_id = current_organization() and id = other.file_id offset 0
  ) newest
  where other.organization_id = current_organization() and other.${sql.ref(`${table}_id`)} = record.id
  order by newest.uploaded_at desc limit 1
), '')`;

/**
 * Writes the newest file that asserts them into records.
 * @param chosen condition on the rows `record`
 * @returns how many records were written
 */
export async function nameNewest(
  trx: OrganizationTransaction,
  table: RecordTableName,
  chosen: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} record set source_file = ${newestFileOf(table)}
    where record.organization_id = current_organization() and ${chosen}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

interface Reactivated {
  table: RecordTableName;
  /** Condition on the rows of `report_record` that no longer count. */
  rows: RawBuilder<unknown>;
  /** The files that have these rows. */
  withoutFiles: readonly string[];
  /** What this changes is added to it. */
  updated: ChangeCount;
}

/**
 * Records whose objects the rows withdraw follow the other reports: they are active again, unless those withdraw them too.
 * Reads the rows that withdraw, which have an index of their own, not all rows, which are many more.
 */
export async function reactivate(
  trx: OrganizationTransaction,
  { updated, ...reactivated }: Reactivated,
): Promise<void> {
  const { ids, count } = await refreshWithdrawn(trx, reactivated);
  updated.add(ids, count);
}

/**
 * Marks records whose objects the file withdraws, unless the object was modified later or another one is active.
 * @returns how many records changed
 */
export async function markWithdrawn(
  trx: OrganizationTransaction,
  { table, fileId }: { table: RecordTableName; fileId: string },
): Promise<number> {
  const { count } = await refreshWithdrawn(trx, { table, rows: sql`file_id = ${fileId}`, activeOnly: true });
  return count;
}

/**
 * Refreshes the records of whose keys some rows withdraw objects, in one statement: a report may have a million of them.
 * @returns the number of records that changed, and some of their ids
 */
async function refreshWithdrawn(
  trx: OrganizationTransaction,
  { table, rows: chosen, ...how }: Pick<Reactivated, 'table' | 'rows'> & Omit<Reported, 'ids'>,
): Promise<{ ids: string[]; count: number }> {
  const withdrawing = sql`
    from report_record
    where organization_id = current_organization() and kind = ${table} and state <> 'active' and ${chosen}`;
  const { rows: counted } = await sql<{
    count: number;
  }>`select count(*)::int as count ${withdrawing}`.execute(trx);
  const count = counted[0]?.count ?? 0;
  if (count === 0) return { ids: [], count };
  const ids = sql`
    select id from ${sql.table(table)} record
    where organization_id = current_organization() and key in (select key ${withdrawing})`;
  const statement = sql<{ ids: string[]; count: number }>`
    with changed as (${takeReported(table, { ...how, ids })})
    select count(*)::int as count, array(select id from changed limit ${idsShown}) as ids from changed`;
  const { rows } = await joiningRows(trx, { tables: ['report_record', table], count }, () =>
    statement.execute(trx),
  );
  return rows[0] ?? { ids: [], count: 0 };
}
