import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import type { Parts } from './filter.ts';
import { idsLike, isAnyLike, isLike } from './like.ts';
import type { ListSource } from './source.ts';

/** Functions of the database that find ids by name and identifier. */
const finders: Record<RecordTableName, string> = {
  vulnerability: 'vulnerabilities_like',
  threat: 'threats_like',
};

/**
 * Selects the ids of rows whose name, identifier or source file matches the pattern. Files are few: their names are
 * searched first, and their rows are found by the index on `source_file`.
 */
const idsOf = (table: RecordTableName, pattern: string, most: number | null): RawBuilder<unknown> => sql`
  (${idsLike(finders[table], pattern, most)}) union all (${idsOfFiles(table, pattern, most)})`;

const idsOfFiles = (table: RecordTableName, pattern: string, most: number | null): RawBuilder<unknown> => sql`
  select found.id from report_file file
  join ${sql.table(table)} found on found.organization_id = file.organization_id
    and found.source_file = file.name and found.source_file <> ''
  where file.organization_id = current_organization() and ${isLike(sql`file.name`, pattern)} limit ${most}`;

/**
 * The number of these rows, at most `most`, and the ids of at most `mostIds`. Names and identifiers are searched only where the
 * files whose names match have fewer rows.
 */
const findOf =
  (table: RecordTableName, pattern: string) =>
  (most: number, mostIds: number): RawBuilder<unknown> =>
    sql`
    with of_files as materialized (${idsOfFiles(table, pattern, most)}),
      found as (
        select distinct id from (
          (${idsLike(finders[table], pattern, most)}) union all select id from of_files
        ) either where (select count(*) from of_files) < ${most} limit ${most}
      )
    select greatest((select count(*) from of_files), count(*))::int as count,
      case when count(*) <= ${mostIds} then coalesce(array_agg(id), '{}') end as ids
    from found`;

/** Rows whose name, identifier or source file matches the pattern. */
export const recordsLike = (table: RecordTableName, pattern: string): RawBuilder<boolean> =>
  sql`r.id in (${idsOf(table, pattern, null)})`;

/** Files whose names match, and rows with a name or identifier that matches, of which a page is put together. */
const [mostFiles, mostNamed] = [50, 1000];

/**
 * The rows of a search that matches the names of few files: those of each file, and those that match by their own name or
 * identifier. All rows of a file match, and one can have more than are counted. Undefined when there are too many.
 */
async function partsOf(
  trx: OrganizationTransaction,
  table: RecordTableName,
  pattern: string,
): Promise<Parts | undefined> {
  const { rows } = await sql<{ files: string[]; named: string[] }>`
    select
      array(
        select distinct name from report_file
        where organization_id = current_organization() and name <> ''
          and ${isLike(sql`name`, pattern)} limit ${mostFiles + 1}
      ) as files,
      array(${idsLike(finders[table], pattern, mostNamed + 1)}) as named`.execute(trx);
  const { files = [], named = [] } = rows[0] ?? {};
  if (files.length === 0 || files.length > mostFiles || named.length > mostNamed) return undefined;
  return {
    inOrder: files.map((file) => sql`r.source_file = ${file}`),
    few: sql`(r.id = any (${named}::uuid[]) and r.source_file <> all (${files}::text[]))`,
  };
}

/** Columns of each record table that the search reads. */
const searchedColumns: Record<RecordTableName, readonly string[]> = {
  vulnerability: ['name', 'cve_id', 'source_file'],
  threat: ['name', 'threat_id', 'source_file'],
};

/** The search of the list of a record table (`ListSource`). */
export const recordSearch = (
  table: RecordTableName,
): Required<Pick<ListSource, 'table' | 'search' | 'searchIndex'>> => ({
  table,
  search: (pattern) => recordsLike(table, pattern),
  searchIndex: (pattern) => ({
    isMetByRow: isAnyLike(searchedColumns[table], pattern),
    ids: (most) => idsOf(table, pattern, most),
    find: findOf(table, pattern),
    parts: (trx) => partsOf(trx, table, pattern),
  }),
});

/** The search of the list of assets: by name and description. */
export const assetSearch: Required<Pick<ListSource, 'table' | 'search' | 'searchIndex'>> = {
  table: 'asset',
  search: (pattern) => sql`r.id in (${idsLike('assets_with_text', pattern, null)})`,
  searchIndex: (pattern) => ({
    isMetByRow: isAnyLike(['name', 'description'], pattern),
    ids: (most) => idsLike('assets_with_text', pattern, most),
  }),
};
