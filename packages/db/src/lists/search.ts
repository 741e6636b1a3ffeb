import { type RawBuilder, sql } from 'kysely';
import type { RecordTableName } from '../reports/assertions.ts';
import { contains, type FilterInput, type RowByRow } from './source.ts';

/** Functions that search under a role that may use the trigram indexes (decision 0012). */
const finders: Record<RecordTableName, string> = {
  vulnerability: 'vulnerabilities_like',
  threat: 'threats_like',
};

/**
 * Rows whose name, identifier or source file matches the pattern. Files are few: their names are searched first, and
 * their rows are found by the index on `source_file`.
 */
export const recordsLike = (table: RecordTableName, pattern: string): RawBuilder<boolean> => sql`r.id in (
  select ${sql.ref(finders[table])}(${pattern}, null)
  union all
  select found.id from report_file file
  join ${sql.table(table)} found
    on found.organization_id = file.organization_id and found.source_file = file.name and found.source_file <> ''
  where file.organization_id = current_organization() and file.name ilike ${pattern})`;

/** Columns of each record table that the search reads. */
const searchedColumns: Record<RecordTableName, readonly string[]> = {
  vulnerability: ['name', 'cve_id', 'source_file'],
  threat: ['name', 'threat_id', 'source_file'],
};

/** The same search row by row, for texts that many rows contain. */
export const recordsLikeRowByRow =
  (table: RecordTableName) =>
  ({ search, ...input }: FilterInput & { search?: string }): RowByRow | undefined => {
    const wanted = search?.trim() ?? '';
    if (wanted === '') return undefined;
    const pattern = contains(wanted);
    const parts = searchedColumns[table].map((column) => sql<boolean>`r.${sql.ref(column)} ilike ${pattern}`);
    return { input, isShown: sql`(${sql.join(parts, sql` or `)})` };
  };
