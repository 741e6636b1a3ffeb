import { sql } from 'kysely';
import type { RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { reportColumns } from './report-columns.ts';

/** What one report says of a record, its fields by the columns that they would fill. */
export interface SourceRow {
  file_id: string;
  file: string;
  uploaded_at: Date;
  place: string;
  type: string;
  stix_id: string | null;
  modified: Date | null;
  state: 'active' | 'revoked' | 'deprecated';
  fields: Record<string, unknown>;
}

/**
 * The report that counts first: its `modified` is the newest, and of several with the same the one that came first, for
 * an extraction takes only what is newer than what is there (STIX mapping, identity keys). Files get rising ids.
 */
const countsFirst = sql`r.modified desc nulls last, f.id`;

/** Every report that asserts the record (at most 100), the one that counts first. */
export async function recordSources(
  trx: OrganizationTransaction,
  table: RecordTableName,
  id: string,
): Promise<SourceRow[]> {
  const fields = Object.entries(reportColumns[table])
    .filter(([column]) => column !== 'details')
    .map(([column, expression]) => sql.raw(`'${column}', ${expression}`));
  const { rows } = await sql<SourceRow>`
    select r.file_id, f.name as file, f.uploaded_at, r.place, r.type, r.stix_id, r.modified, r.state,
      jsonb_build_object(${sql.join(fields)}) as fields
    from report_record r
    join report_file f on f.organization_id = r.organization_id and f.id = r.file_id
    where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = ${id}
    order by ${countsFirst} limit 100`.execute(trx);
  return rows;
}

/**
 * Takes columns back to what the report that counts says of them; they are no person's any more.
 * @returns false when no report asserts the record
 */
export async function revertToReports(
  trx: OrganizationTransaction,
  table: RecordTableName,
  { id, columns, by }: { id: string; columns: readonly string[]; by: string },
): Promise<boolean> {
  const known = Object.entries(reportColumns[table]).filter(([column]) => columns.includes(column));
  const sets = known.map(([column, expression]) => sql`${sql.ref(column)} = ${sql.raw(expression)}`);
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} target set ${sql.join([
      ...sets,
      sql`edited_fields = array(select unnest(target.edited_fields) except select unnest(${columns}::text[]))`,
      sql`version = target.version + 1, updated_at = now(), updated_by = ${by}::uuid`,
    ])}
    from (
      select r.* from report_record r
      join report_file f on f.organization_id = r.organization_id and f.id = r.file_id
      where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = ${id}
      order by ${countsFirst} limit 1
    ) r
    where target.organization_id = current_organization() and target.id = ${id}`.execute(trx);
  return Number(numAffectedRows ?? 0) > 0;
}
