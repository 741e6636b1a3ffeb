import { type RawBuilder, sql } from 'kysely';
import { joiningRows } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { RecordTableName } from './assertions.ts';
import { isMerged, rowsOfObject } from './object-versions.ts';
import { byPrecedence, mergedData, mergedName } from './precedence.ts';
import { reportColumns } from './report-columns.ts';
import { valuesTaken } from './values-taken.ts';

/** Records by a query of ids, and reports whose rows do not count, although the statement still sees them. */
export interface Reported {
  ids: RawBuilder<unknown>;
  withoutFiles?: readonly string[] | undefined;
  /** Records that are withdrawn keep their values. */
  activeOnly?: true;
}

/** The objects of a report row, in the order in which they count: the row itself, unless several objects are merged in it. */
export const objectsOf = (row: 'r' | 'withdrawing') => {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  return sql`
    left join lateral rows from (jsonb_to_recordset(${column('objects')}) as (
      "stixId" text, modified timestamptz, state text, location text, name text, type text, data jsonb
    )) with ordinality merged on true
    cross join lateral (
      select case when ${column('objects')} is null then ${column('stix_id')} else merged."stixId" end as stix_id,
        case when ${column('objects')} is null then ${column('modified')} else merged.modified end as modified,
        coalesce(merged.state, ${column('state')}) as state, coalesce(merged.location, ${column('location')}) as location,
        coalesce(merged.name, ${column('name')}) as name,
        coalesce(merged.type, ${column('type')}) as type, coalesce(merged.data, ${column('data')}) as data,
        coalesce(merged.ordinality, 1) as position
    ) object`;
};

/** Leaves out the rows of some reports. */
export const countsUnless = (withoutFiles: readonly string[] | undefined) => (row: string) =>
  withoutFiles === undefined ? sql`` : sql`and ${sql.ref(`${row}.file_id`)} <> all (${withoutFiles}::uuid[])`;

const time = (modified: string) => sql`coalesce(${sql.ref(modified)}, '-infinity')`;

/** Versions of objects that are merged in rows of other reports, for the ids of `version`. */
const mergedVersions = (counts: (row: string) => RawBuilder<unknown>) => sql`
  select object.stix_id, max(object.modified) as modified,
    max(${time('object.modified')}) filter (where object.state <> 'active') as withdrawn_at,
    (array_agg(object.state order by object.modified desc nulls last) filter (where object.state <> 'active'))[1] as state
  from report_record r ${objectsOf('r')}
  where r.organization_id = current_organization() and ${isMerged('r')} ${counts('r')} and r.id in (
    select id from (
      select r.id, unnest(r.source_ids) as stix_id from report_record r
      where r.organization_id = current_organization() and ${isMerged('r')} ${counts('r')}
      offset 0
    ) listed where (stix_id in (select stix_id from version)) is true)
  group by object.stix_id`;

/**
 * The newest version of each object that reports state of the records `chosen`, with the row that has it (`record_id`, `row_id`,
 * `file_id`) and why it does not count (`withdrawn_as`): a report withdraws it at that time or later, or a newer version of it
 * is another record, under another key. The withdrawals of the keys are read once, and full joins never compare every pair,
 * as a nested loop does. Versions under other keys are looked up by the id of the object.
 */
export function newestObjects(table: RecordTableName, withoutFiles?: readonly string[]): RawBuilder<unknown> {
  const link = sql.ref(`${table}_id`);
  const counts = countsUnless(withoutFiles);
  const asserting = sql`
    chosen join report_record r
    on r.organization_id = current_organization() and r.${link} = chosen.id and r.state = 'active' ${counts('r')}`;
  const merged =
    table === 'vulnerability'
      ? sql`full join (${mergedVersions(counts)}) merged on merged.stix_id = version.stix_id`
      : sql`cross join (select null::timestamptz as modified, null::timestamptz as withdrawn_at, null::text as state) merged`;
  return sql`
    select stated.*, stated.withdrawn_as is null as is_active
    from (
      with version as materialized (
        select * from (
          select chosen.id as record_id, r.id as row_id, r.file_id, r.key, object.*,
            row_number() over (
              partition by chosen.id, coalesce(object.stix_id, r.id || ' ' || object.position)
              order by object.modified desc nulls last, object.state = 'active', r.id is distinct from chosen.id, r.file_id
            ) as version
          from ${asserting} ${objectsOf('r')}
        ) every where version = 1
      )
      select version.*, case
        when version.state <> 'active' then version.state
        when withdrawal.withdrawn_at >= ${time('version.modified')} then withdrawal.state
        when later.withdrawn_at >= ${time('version.modified')} then later.state
        when merged.withdrawn_at >= ${time('version.modified')} then merged.state
        when greatest(later.modified, merged.modified) > version.modified then 'superseded' end as withdrawn_as
      from version
      full join (
        select withdrawing.key, object.stix_id, max(${time('object.modified')}) as withdrawn_at,
          (array_agg(object.state order by object.modified desc nulls last))[1] as state
        from report_record withdrawing ${objectsOf('withdrawing')}
        where withdrawing.organization_id = current_organization() and withdrawing.kind = ${table} and withdrawing.state <> 'active'
          and withdrawing.key in (select key from version) and object.stix_id is not null ${counts('withdrawing')}
        group by withdrawing.key, object.stix_id
      ) withdrawal on withdrawal.key = version.key and withdrawal.stix_id = version.stix_id
      ${merged}
      left join lateral (
        select max(modified) as modified, max(${time('modified')}) filter (where state <> 'active') as withdrawn_at,
          (array_agg(state order by modified desc nulls last) filter (where state <> 'active'))[1] as state
        from (${rowsOfObject(table, sql.ref('version.stix_id'), counts)}) rows_of_object
        offset 0
      ) later on true
      where coalesce(version.version, 0) = 1
    ) stated`;
}

/**
 * What the reports say of records: `id`, `modified`, `withdrawn`, `is_asserted` and the columns that reports fill. Of several
 * versions of one object the newest counts, regardless of its key. The objects that are active are merged: each field has the
 * first value that is not empty, in the order of precedence. A record is withdrawn when all its objects are; it then has the values of the last ones.
 * A record that no report asserts has only `withdrawn`, by the reports that withdraw its key.
 */
export function reportedValues(
  table: RecordTableName,
  { ids, withoutFiles, activeOnly }: Reported,
): RawBuilder<unknown> {
  const columns = Object.entries(reportColumns[table]);
  const link = sql.ref(`${table}_id`);
  const counts = countsUnless(withoutFiles);
  return sql`
    with chosen as materialized (${ids}), counted as (
      select o.*, max(o.modified) over (partition by o.record_id, o.row_id) as row_modified
      from (
        select *, bool_or(is_active) over (partition by record_id) as has_active from (${newestObjects(table, withoutFiles)}) newest
      ) o
      where o.is_active or not o.has_active
    )
    select r.id, r.modified, r.withdrawn, r.is_asserted,
      ${sql.join(columns.map(([column, expression]) => sql`${sql.raw(expression)} as ${sql.ref(column)}`))}
    from (
      select r.id, r.name, r.type, r.data, ${activeOnly ? sql`r.is_active is true` : sql`r.is_active is not null`} as is_asserted,
        case when r.is_active is not true then coalesce(withdrawing.state, r.state) end as withdrawn,
        case when r.is_active is not true then coalesce(withdrawing.modified, r.modified) else r.modified end as modified
      from (
        select record_id as id, bool_or(is_active) as is_active, max(modified) as modified,
          ${mergedName(byPrecedence)} as name,
          (array_agg(type order by ${byPrecedence}))[1] as type,
          ${mergedData(byPrecedence)} as data,
          (array_agg(withdrawn_as order by ${byPrecedence}))[1] as state
        from counted group by record_id
        union all
        select id, null, null, null, null, null, null from chosen where not exists (
          select from report_record r
          where r.organization_id = current_organization() and r.${link} = chosen.id and r.state = 'active' ${counts('r')})
      ) r
      cross join lateral (
        select key from ${sql.table(table)} where organization_id = current_organization() and id = r.id offset 0
      ) record
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
 * no report asserts. The planner may expect one record in the organization: it must not read the reports again for each.
 * @returns the statement, which returns the ids of the records that it changes
 */
export function takeReported(table: RecordTableName, reported: Reported): RawBuilder<{ id: string }> {
  const names = Object.keys(reportColumns[table]);
  const current = (column: string) => sql`target.${sql.ref(column)}`;
  const taken = valuesTaken(table, { record: 'target', reported: (column) => sql.ref(`reported.${column}`) });
  const next = (column: string) =>
    sql`case when reported.is_asserted then ${taken[column]} else ${current(column)} end`;
  return sql<{ id: string }>`
    with reported as materialized (${reportedValues(table, reported)})
    update ${sql.table(table)} target
    set ${sql.join(names.map((column) => sql`${sql.ref(column)} = ${next(column)}`))},
      source_modified = reported.modified, withdrawn = reported.withdrawn,
      updated_at = now(), updated_by = null, version = target.version + 1
    from reported
    where target.organization_id = current_organization() and target.id = reported.id
      and (${sql.join(names.map(next))}, reported.modified, reported.withdrawn)
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
