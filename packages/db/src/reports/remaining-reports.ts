import { idsShown } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { ChangeCount } from '../changes.ts';
import { joiningRows } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { RecordTableName } from './assertions.ts';
import { byPrecedence } from './precedence.ts';
import { reportColumns } from './report-columns.ts';

/**
 * Updates records whose values differ from those of the report that takes precedence among those that assert them: a report
 * that was dropped must not leave its values. Fields that a person edited are kept.
 * @param ids selects the records
 * @param without leaves out rows `r` of reports
 */
export function takeRemaining(
  table: RecordTableName,
  { ids, without = sql`` }: { ids: RawBuilder<unknown>; without?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const link = sql.ref(`${table}_id`);
  const columns = Object.entries(reportColumns[table]);
  const names = columns.map(([column]) => column);
  const kept = (column: string) =>
    sql`case when ${sql.lit(column)} = any (target.edited_fields) then target.${sql.ref(column)} else newest.${sql.ref(column)} end`;
  return sql`
    update ${sql.table(table)} target
    set ${sql.join(names.map((column) => sql`${sql.ref(column)} = ${kept(column)}`))},
      source_modified = newest.modified, updated_at = now(), updated_by = null, version = target.version + 1
    from (
      select r.${link} as id, r.modified, ${sql.join(columns.map(([column, expression]) => sql`${sql.raw(expression)} as ${sql.ref(column)}`))}
      from (
        select distinct on (r.${link}) r.* from (${ids}) chosen
        join report_record r on r.organization_id = current_organization() and r.${link} = chosen.id and r.state = 'active' ${without}
        order by r.${link}, ${byPrecedence}
      ) r
    ) newest
    where target.organization_id = current_organization() and target.id = newest.id
      and (${sql.join(names.map(kept))}, newest.modified)
        is distinct from (${sql.join(names.map((column) => sql`target.${sql.ref(column)}`))}, target.source_modified)`;
}

/**
 * A report has been read again: records that other reports assert too take the values of those. The next extraction compares
 * the new reading with them.
 * @param count rows of the report
 * @returns how many records changed
 */
export async function takeOthers(
  trx: OrganizationTransaction,
  { table, fileId, count }: { table: RecordTableName; fileId: string; count: number },
): Promise<number> {
  const link = sql.ref(`${table}_id`);
  const shared = sql`
    select own.${link} as id from report_record own
    where own.organization_id = current_organization() and own.file_id = ${fileId} and own.kind = ${table} and own.${link} is not null`;
  const { numAffectedRows } = await joiningRows(trx, { tables: ['report_record', table], count }, () =>
    takeRemaining(table, { ids: shared, without: sql`and r.file_id <> ${fileId}` }).execute(trx),
  );
  return Number(numAffectedRows ?? 0);
}

/**
 * Writes the newest file that asserts them into records.
 * @param chosen condition on the rows `record`
 */
export async function nameNewest(
  trx: OrganizationTransaction,
  table: RecordTableName,
  chosen: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update ${sql.table(table)} record
    set source_file = coalesce((
      select newest.name from report_record other
      cross join lateral (
        select name, uploaded_at from report_file
        where organization_id = current_organization() and id = other.file_id offset 0
      ) newest
      where other.organization_id = current_organization() and other.${sql.ref(`${table}_id`)} = record.id
      order by newest.uploaded_at desc limit 1
    ), '')
    where record.organization_id = current_organization() and ${chosen}`.execute(trx);
}

/**
 * Records that the file has withdrawn are active again, unless another report withdraws them too. Reads the rows that withdraw,
 * which have an index of their own, not those of the file, which are many more.
 * @param updated what this changes is added to it
 */
export async function reactivate(
  trx: OrganizationTransaction,
  { table, fileId, updated }: { table: RecordTableName; fileId: string; updated: ChangeCount },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} target
    set withdrawn = null, updated_at = now(), updated_by = null, version = target.version + 1, source_modified = (
      select max(r.modified) from report_record r
      where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = target.id and r.state = 'active')
    from (
      select key from report_record
      where organization_id = current_organization() and kind = ${table} and state <> 'active'
      group by key having every(file_id = ${fileId})
    ) own
    where target.organization_id = current_organization() and target.key = own.key and target.withdrawn is not null
    returning target.id`.execute(trx);
  updated.add(
    rows.slice(0, idsShown).map(({ id }) => id),
    rows.length,
  );
}
