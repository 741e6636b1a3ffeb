import { mostSources, sourceTextMax } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { RecordTableName } from './assertions.ts';
import { reportColumns } from './report-columns.ts';
import { newestObjects, objectsOf, reportedValues } from './reported-values.ts';
import { isFollowing, valuesTaken } from './values-taken.ts';

/** One object of a report that asserts a record: its fields, by the columns that they would fill. */
export interface SourceRow {
  file_id: string;
  file: string;
  uploaded_at: Date;
  location: string;
  type: string;
  stix_id: string | null;
  modified: Date | null;
  state: 'active' | 'revoked' | 'deprecated';
  fields: Record<string, unknown>;
  /** Its fields count for the record: no newer version replaces it, and it is not withdrawn. */
  counts: boolean;
}

/** Its fields, whose texts are shortened: a record may have a hundred sources. */
const fieldsOf = (table: RecordTableName): RawBuilder<unknown> => {
  const fields = Object.entries(reportColumns[table])
    .filter(([column]) => column !== 'details')
    .map(([column, expression]) => sql.raw(`'${column}', ${expression}`));
  const isLong = sql`jsonb_typeof(value) = 'string' and length(value #>> '{}') > ${sql.lit(sourceTextMax)}`;
  return sql`(
    select jsonb_object_agg(key, case
      when ${isLong} then to_jsonb(left(value #>> '{}', ${sql.lit(sourceTextMax)}) || '…') else value end)
    from jsonb_each(jsonb_build_object(${sql.join(fields)})))`;
};

/**
 * Objects of reports that assert the record (at most 100), in the order of precedence: first those that count. Also how many
 * objects there are, and in how many reports. A row of a report that several objects describe has one source for each of them.
 * All that count are among them, so that the full join adds no rows; it never compares every pair, as a nested loop does.
 */
export async function recordSources(
  trx: OrganizationTransaction,
  table: RecordTableName,
  id: string,
): Promise<{ sources: SourceRow[]; total: number; reportTotal: number }> {
  const asserting = sql`
    from report_record r ${objectsOf('r')}
    where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = ${id}`;
  const { rows } = await sql<SourceRow & { total: number; report_total: number }>`
    with chosen as materialized (select ${id}::uuid as id), newest as (${newestObjects(table)}),
    counted as (
      select row_id, position, max(modified) over (partition by row_id) as row_modified from newest
      where is_active or not (select bool_or(is_active) from newest)
    )
    select r.file_id, f.name as file, f.uploaded_at, r.location, r.type, r.stix_id, r.modified, r.state, ${fieldsOf(table)} as fields,
      counted.row_id is not null as counts, totals.*
    from (select r.organization_id, r.file_id, r.id, r.modified as row_modified, object.* ${asserting}) r
    join report_file f on f.organization_id = r.organization_id and f.id = r.file_id
    full join counted on counted.row_id = r.id and counted.position = r.position
    cross join (select count(*)::int as total, count(distinct r.file_id)::int as report_total ${asserting}) totals
    order by counts desc, coalesce(counted.row_modified, r.row_modified) desc nulls last, r.id <> ${id}, r.file_id, r.position
    limit ${sql.lit(mostSources)}`.execute(trx);
  return {
    sources: rows.map(({ total: _total, report_total: _reportTotal, ...source }) => source),
    total: rows[0]?.total ?? 0,
    reportTotal: rows[0]?.report_total ?? 0,
  };
}

/** What the reports say of a record, by column; undefined when no report asserts it. */
export async function reportedRow(
  trx: OrganizationTransaction,
  table: RecordTableName,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<{ is_asserted: boolean } & Record<string, unknown>>`
    ${reportedValues(table, { ids: sql`select ${id}::uuid as id` })}`.execute(trx);
  return rows.find(({ is_asserted: isAsserted }) => isAsserted);
}

/**
 * Sets columns to what the reports say; they no longer count as edited. Columns that follow them follow.
 * @returns false when no report asserts the record
 */
export async function revertToReports(
  trx: OrganizationTransaction,
  table: RecordTableName,
  { id, columns, by }: { id: string; columns: readonly string[]; by: string },
): Promise<boolean> {
  const edited = sql`array(select unnest(target.edited_fields) except select unnest(${columns}::text[]))`;
  const taken = valuesTaken(table, {
    record: 'target',
    reported: (column) => sql.ref(`reported.${column}`),
    edited,
  });
  const sets = Object.entries(taken)
    .filter(([column]) => columns.includes(column) || isFollowing(table, column))
    .map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { numAffectedRows } = await sql`
    with reported as materialized (${reportedValues(table, { ids: sql`select ${id}::uuid as id` })})
    update ${sql.table(table)} target set ${sql.join([
      ...sets,
      sql`edited_fields = ${edited}`,
      sql`version = target.version + 1, updated_at = now(), updated_by = ${by}::uuid`,
    ])}
    from reported
    where target.organization_id = current_organization() and target.id = reported.id and reported.is_asserted`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0) > 0;
}
