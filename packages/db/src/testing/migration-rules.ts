/** A table that an organization can fill with millions of rows. */
const large = new Set([
  'activity',
  'alert_change',
  'alert_finding',
  'asset',
  'asset_relation',
  'asset_score',
  'batch_attempt',
  'batch_change',
  'batch_file',
  'csv_import_row',
  'cwss_score',
  'deleted_record',
  'file_chunk',
  'job',
  'overview_entry',
  'report_file',
  'report_object',
  'report_object_group',
  'report_record',
  'report_relation',
  'threat',
  'threat_asset',
  'vulnerability',
  'vulnerability_asset',
  'webhook_attempt',
  'webhook_delivery',
]);

const breaking: readonly [RegExp, string][] = [
  [/\bdrop table (?:if exists )?(\w+)/giu, 'drops a table'],
  [/\bdrop column (?:if exists )?(\w+)/giu, 'drops a column'],
  [/\bdrop (?:function|procedure|view) (?:if exists )?(\w+)/giu, 'drops a function or view'],
  [/\brename (?:column )?(?:\w+ )?to (\w+)/giu, 'renames'],
  [/\balter column (\w+) (?:set data )?type\b/giu, 'changes the type of a column'],
  [/\balter column (\w+) set not null/giu, 'requires a value'],
  [/\balter column (\w+) drop default/giu, 'drops a default'],
  [/\badd (?:column )?(?:if not exists )?(\w+) [^,;]*\bprimary key\b/giu, 'changes a key'],
  [/\badd primary key \(([^)]*)/giu, 'changes a key'],
  [/\brevoke [^;]* on (?!schema|function|procedure)(\w+)/giu, 'revokes a privilege'],
];

/** Columns that statements of the previous version do not fill, because they do not know them. */
const requiredColumn = /\badd (?:column )?(?:if not exists )?(\w+) [^,;]*\bnot null\b[^,;]*/giu;

export const withoutComments = (text: string): string =>
  text.replaceAll(/--.*$/gmu, '').replaceAll(/\s+/gu, ' ');

/** Tables and functions that the file creates: processes of the previous version do not use them. */
const createdIn = (sql: string): Set<string> =>
  new Set(
    [...sql.matchAll(/\bcreate (?:or replace )?(?:table|function|procedure) (\w+)/giu)].map(
      ([, name = '']) => name,
    ),
  );

/** Statements that a process of the previous version may not survive, each with what it does. */
export function breakingStatements(text: string): string[] {
  const sql = withoutComments(text);
  const created = createdIn(sql);
  const found: string[] = [];
  for (const [pattern, what] of breaking)
    for (const [, name = ''] of sql.matchAll(pattern)) if (!created.has(name)) found.push(`${what}: ${name}`);
  for (const [clause, name = ''] of sql.matchAll(requiredColumn))
    if (!/\b(?:default|generated)\b/iu.test(clause)) found.push(`requires a value of a new column: ${name}`);
  return found;
}

/** Indexes that would block every writer of a large table while they are built. */
export function blockingIndexes(text: string): string[] {
  const sql = withoutComments(text);
  const created = createdIn(sql);
  return [...sql.matchAll(/\bcreate (?:unique )?index (\w+) on (\w+)/giu)]
    .filter(([, name, table = '']) => name !== 'concurrently' && large.has(table) && !created.has(table))
    .map(([, name = '', table = '']) => `${name} on ${table}`);
}

/** What a file says in its header about processes of the previous version. */
export const compatibility = (text: string): string | undefined =>
  /^-- Previous version: (?<kept>keeps working|must be stopped)[,;:] \S/mu.exec(text)?.groups?.['kept'];

/** Statements that may not be in one file with the concurrent build of an index. */
export const otherThanIndexes = (text: string): string[] =>
  withoutComments(text)
    .split(';')
    .map((statement) => statement.trim())
    .filter(
      (statement) =>
        statement !== '' &&
        !/^create (?:unique )?index concurrently \w+ on \w+/iu.test(statement) &&
        !/^drop index concurrently if exists \w+$/iu.test(statement),
    );
