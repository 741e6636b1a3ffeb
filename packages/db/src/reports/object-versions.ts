import { type RawBuilder, sql } from 'kysely';
import { joiningRows } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { RecordTableName } from './assertions.ts';

/** Whether an id is in the indexes of ids: see migration 0060. */
export const isIndexed = (id: RawBuilder<unknown>) => sql`octet_length(${id}) <= 1000`;

/**
 * The rows of reports that have the object `stixId`, under any key: extracted ones, and those that withdraw it. Rows of
 * several objects that count are not among them.
 */
export const rowsOfObject = (
  table: RecordTableName,
  stixId: RawBuilder<unknown>,
  counts: (row: string) => RawBuilder<unknown>,
) => sql`
  select other.modified, other.state from report_record other
  where other.organization_id = current_organization() and other.stix_id = ${stixId} and ${isIndexed(sql.ref('other.stix_id'))}
    and other.${sql.ref(`${table}_id`)} is not null and cardinality(other.source_ids) = 1 ${counts('other')}
  union all
  select other.modified, other.state from report_record other
  where other.organization_id = current_organization() and other.kind = ${table} and other.stix_id = ${stixId}
    and ${isIndexed(sql.ref('other.stix_id'))} and other.state <> 'active' and cardinality(other.source_ids) = 1 ${counts('other')}`;

/** Extracted rows of several objects that count: only vulnerabilities are merged. Few are so. */
export const isMerged = (row: string) =>
  sql`${sql.ref(`${row}.vulnerability_id`)} is not null and cardinality(${sql.ref(`${row}.source_ids`)}) > 1`;

/** SQL: the objects of rows `r`, as `objects` of {@link recordsSharingObjects}. */
export const objectsOfRows = (table: RecordTableName, rows: RawBuilder<unknown>) => sql`
  select object.stix_id, r.key, r.${sql.ref(`${table}_id`)} as id from report_record r
  cross join lateral unnest(r.source_ids) object (stix_id)
  where r.organization_id = current_organization() and r.kind = ${table} and ${rows}`;

interface Sharing {
  table: RecordTableName;
  /** Selects ids of objects (`stix_id`), the `key` of each, and the `id` of its record, if it has one. */
  objects: RawBuilder<unknown>;
  /** How many these are, about. */
  count: number;
  /** The reports that have these objects. */
  files: readonly string[];
}

/**
 * Records of other reports that have one of the objects under another key: a newer version of an object may be another record.
 * Most reports have none; each object is looked up in an index.
 * @returns the ids of these records, and of the records of the objects that others have or withdraw under another key
 */
export async function recordsSharingObjects(
  trx: OrganizationTransaction,
  { table, objects, count, files }: Sharing,
): Promise<{ others: string[]; own: string[] }> {
  if (count === 0 || !(await hasOtherReports(trx, files))) return { others: [], own: [] };
  const link = sql.ref(`other.${table}_id`);
  const isOther = sql`
    other.organization_id = current_organization() and other.file_id <> all (${files}::uuid[])`;
  const merged = sql`
    union all
    select own.id, other.id from (
      select ${link} as id, other.key, unnest(other.source_ids) as stix_id from report_record other
      where ${isOther} and ${isMerged('other')}
      offset 0
    ) other join own using (stix_id)
    where other.key <> own.key`;
  const statement = sql<{ own: string | null; other: string | null }>`
    with own as materialized (${objects})
    select own.id as own, other.id as other from own
    cross join lateral (
      select ${link} as id from report_record other
      where ${isOther} and other.stix_id = own.stix_id and ${isIndexed(sql.ref('other.stix_id'))}
        and ${link} is not null and other.key <> own.key
      offset 0
    ) other
    union all
    select own.id, null from (
      select other.stix_id, other.key from report_record other
      where ${isOther} and other.kind = ${table} and other.state <> 'active' and ${isIndexed(sql.ref('other.stix_id'))}
      offset 0
    ) other join own using (stix_id)
    where other.key <> own.key
    ${table === 'vulnerability' ? merged : sql``}`;
  const { rows } = await joiningRows(trx, { tables: ['report_record'], count }, () => statement.execute(trx));
  return {
    others: [...new Set(rows.flatMap(({ other }) => other ?? []))],
    own: [...new Set(rows.flatMap(({ own }) => own ?? []))],
  };
}

async function hasOtherReports(trx: OrganizationTransaction, files: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from report_file
      where organization_id = current_organization() and id <> all (${files}::uuid[]) and object_count > 0
    ) as found`.execute(trx);
  return rows[0]?.found === true;
}
