import { type RawBuilder, sql } from 'kysely';
import type { RecordTableName } from '../reports/assertions.ts';
import type { ListSource } from './source.ts';

/** Functions that search under a role that may use the trigram indexes (decision 0012). */
const finders: Record<RecordTableName, string> = {
  vulnerability: 'vulnerabilities_like',
  threat: 'threats_like',
};

/**
 * Selects the ids of rows whose name, identifier or source file matches the pattern. Files are few: their names are
 * searched first, and their rows are found by the index on `source_file`.
 */
const idsOf = (table: RecordTableName, pattern: string, most: number | null): RawBuilder<unknown> => sql`
  select ${sql.ref(finders[table])}(${pattern}, ${most})
  union all (
    select found.id from report_file file
    join ${sql.table(table)} found on found.organization_id = file.organization_id
      and found.source_file = file.name and found.source_file <> ''
    where file.organization_id = current_organization() and file.name ilike ${pattern} limit ${most})`;

/** Rows whose name, identifier or source file matches the pattern. */
export const recordsLike = (table: RecordTableName, pattern: string): RawBuilder<boolean> =>
  sql`r.id in (${idsOf(table, pattern, null)})`;

const like = (columns: readonly string[], pattern: string): RawBuilder<boolean> =>
  sql`(${sql.join(
    columns.map((column) => sql`r.${sql.ref(column)} ilike ${pattern}`),
    sql` or `,
  )})`;

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
    isMetByRow: like(searchedColumns[table], pattern),
    ids: (most) => idsOf(table, pattern, most),
  }),
});

/** The search of the list of assets: by name and description. */
export const assetSearch: Required<Pick<ListSource, 'table' | 'search' | 'searchIndex'>> = {
  table: 'asset',
  search: (pattern) => sql`r.id in (select assets_with_text(${pattern}, null))`,
  searchIndex: (pattern) => ({
    isMetByRow: like(['name', 'description'], pattern),
    ids: (most) => sql`select assets_with_text(${pattern}, ${most})`,
  }),
};
