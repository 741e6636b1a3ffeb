import { type RawBuilder, sql } from 'kysely';
import { joiningRows } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { RecordTableName } from './assertions.ts';
import { byPrecedence, mergedData } from './precedence.ts';
import { reportColumns } from './report-columns.ts';

/** Records by a query of ids, and a report whose rows do not count, although the statement still sees them. */
export interface Reported {
  ids: RawBuilder<unknown>;
  withoutFile?: string | undefined;
  /** Records that are withdrawn keep their values. */
  activeOnly?: true;
}

/**
 * What the reports say of records: `id`, `modified`, `withdrawn`, `is_asserted` and the columns that reports fill. Of several
 * versions of one object the newest counts. The objects that are active are merged: each field has the first value that is not
 * empty, in the order of precedence. A record is withdrawn when all its objects are; it then has the values of the last ones.
 * A record that no report asserts has only `withdrawn`, by the reports that withdraw its key.
 */
export function reportedValues(
  table: RecordTableName,
  { ids, withoutFile, activeOnly }: Reported,
): RawBuilder<unknown> {
  const link = sql.ref(`${table}_id`);
  const columns = Object.entries(reportColumns[table]);
  const counts = (alias: string) =>
    withoutFile === undefined ? sql`` : sql`and ${sql.ref(`${alias}.file_id`)} <> ${withoutFile}`;
  const time = (alias: string) => sql`coalesce(${sql.ref(`${alias}.modified`)}, '-infinity')`;
  return sql`
    with chosen as materialized (${ids})
    select r.id, r.modified, r.withdrawn, r.is_asserted,
      ${sql.join(columns.map(([column, expression]) => sql`${sql.raw(expression)} as ${sql.ref(column)}`))}
    from (
      select r.id, r.name, r.type, r.data, ${activeOnly ? sql`r.is_active is true` : sql`r.is_active is not null`} as is_asserted,
        case when r.is_active is not true then withdrawing.state end as withdrawn,
        case when r.is_active is not true then coalesce(withdrawing.modified, r.modified) else r.modified end as modified
      from (
        select r.${link} as id, bool_or(r.is_active) as is_active, max(r.modified) as modified,
          (array_agg(r.name order by ${byPrecedence}))[1] as name,
          (array_agg(r.type order by ${byPrecedence}))[1] as type,
          ${mergedData(byPrecedence)} as data
        from (
          select r.*, bool_or(r.is_active) over (partition by r.${link}) as has_active
          from (
            select r.*, not exists (
              select from report_record newer
              where newer.organization_id = current_organization() and newer.kind = ${table} and newer.key = r.key
                and newer.state <> 'active' and newer.stix_id = r.stix_id and ${time('newer')} >= ${time('r')} ${counts('newer')}
            ) as is_active
            from (
              select r.*, row_number() over (partition by r.${link}, coalesce(r.stix_id, r.id::text) order by ${byPrecedence}) as version
              from chosen
              join report_record r on r.organization_id = current_organization() and r.${link} = chosen.id and r.state = 'active' ${counts('r')}
            ) r
            where r.version = 1
          ) r
        ) r
        where r.is_active or not r.has_active group by r.${link}
        union all
        select chosen.id, null, null, null, null, null from chosen
        where not exists (
          select from report_record r
          where r.organization_id = current_organization() and r.${link} = chosen.id and r.state = 'active' ${counts('r')})
      ) r
      join ${sql.table(table)} record on record.organization_id = current_organization() and record.id = r.id
      left join lateral (
        select withdrawal.state, withdrawal.modified from report_record withdrawal
        where r.is_active is not true and withdrawal.organization_id = current_organization() and withdrawal.kind = ${table}
          and withdrawal.key = record.key and withdrawal.state <> 'active' ${counts('withdrawal')}
        order by withdrawal.modified desc nulls last limit 1
      ) withdrawing on true
    ) r`;
}

/**
 * Updates records that differ from what the reports say. Fields that a person edited are kept, and all fields of a record that
 * no report asserts.
 * @returns the statement, which returns the ids of the records that it changes
 */
export function takeReported(table: RecordTableName, reported: Reported): RawBuilder<{ id: string }> {
  const names = Object.keys(reportColumns[table]);
  const current = (column: string) => sql`target.${sql.ref(column)}`;
  const kept = (column: string) =>
    sql`case when reported.is_asserted and not ${sql.lit(column)} = any (target.edited_fields) then reported.${sql.ref(column)} else ${current(column)} end`;
  return sql<{ id: string }>`
    update ${sql.table(table)} target
    set ${sql.join(names.map((column) => sql`${sql.ref(column)} = ${kept(column)}`))},
      source_modified = reported.modified, withdrawn = reported.withdrawn,
      updated_at = now(), updated_by = null, version = target.version + 1
    from (${reportedValues(table, reported)}) reported
    where target.organization_id = current_organization() and target.id = reported.id
      and (${sql.join(names.map(kept))}, reported.modified, reported.withdrawn)
        is distinct from (${sql.join(names.map(current))}, target.source_modified, target.withdrawn)
    returning target.id`;
}

/**
 * The same as {@link takeReported} for these records, with plans for many.
 * @returns the ids of the records that changed
 */
export async function refreshRecords(
  trx: OrganizationTransaction,
  { table, ids, ...how }: Omit<Reported, 'ids'> & { table: RecordTableName; ids: readonly string[] },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const reported = { ...how, ids: sql`select unnest(${ids}::uuid[]) as id` };
  const count = ids.length;
  const { rows } = await joiningRows(trx, { tables: ['report_record', table], count }, () =>
    takeReported(table, reported).execute(trx),
  );
  return rows.map(({ id }) => id);
}
