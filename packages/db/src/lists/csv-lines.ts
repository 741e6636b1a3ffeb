import type { Entity } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { columnTypes } from './entity-source.ts';
import { longTexts, relatedNamesBytes } from './long-texts.ts';
import { cursorAhead, rowsOfPart, type Step, walkLines } from './walk.ts';
import type { FilterInput, ListColumn, ListSource } from './source.ts';

/** Rows as lines of CSV, which PostgreSQL writes. */
export interface CsvRecords {
  /** Of vulnerabilities and threats, whose fields say how they are written; of other lists their `cells` do. */
  entity?: (Entity & { table: 'vulnerability' | 'threat' }) | undefined;
  source: ListSource;
  /** Fields of the entity or the list, in the order of the cells. */
  fields: readonly string[];
}

/** The same as `guardFormula`. */
const formula = `(^|[;\t\r\n])([ \u00A0"']*)([=+@\uFF1D\uFF0B\uFF0D\uFF20-])`;
const skipped = "^'*[\t\r]";
/** Code points of the first characters of all texts that match, but for those with a separator. */
const firstOfGuarded = Array.from(' \u00A0"\'=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20-', (character) =>
  character.codePointAt(0),
);

/** The same as `guardFormula` and the quotes of RFC 4180. Few texts are left for the expressions. */
const quoted = (value: RawBuilder<unknown>): RawBuilder<unknown> => {
  const hasSeparator = sql.join(
    [';', '\n', '\t', '\r'].map((separator) => sql`strpos(${value}, ${sql.lit(separator)}) > 0`),
    sql` or `,
  );
  const mayBeFormula = sql`ascii(${value}) in (${sql.raw(firstOfGuarded.join(', '))}) or ${hasSeparator}`;
  const guarded = sql`
    case when ${value} ~ ${sql.lit(skipped)} then '''' else '' end
      || regexp_replace(${value}, ${sql.lit(formula)}, '\\1\\2''\\3', 'g')`;
  const text = sql`case when ${mayBeFormula} then ${guarded} else ${value} end`;
  return sql`case when ${value} = '' then '' else replace(${text}, '"', '""') end`;
};

/** Labels of numbers; a number without a label is kept. */
function labelled(
  column: RawBuilder<unknown>,
  labels: Readonly<Record<string, string>>,
): RawBuilder<unknown> {
  const cases = Object.entries(labels)
    .filter(([value]) => /^\d+$/u.test(value))
    .map(
      ([value, label]) => sql`when ${sql.lit(Number(value))} then ${sql.lit(label.replaceAll('"', '""'))}`,
    );
  return cases.length === 0
    ? sql`${column}::text`
    : sql`case ${column} ${sql.join(cases, sql` `)} else ${column}::text end`;
}

/** Texts of the types whose texts contain neither quotes nor formulas. */
const plainTexts: Partial<Record<ListColumn['type'], (column: RawBuilder<unknown>) => RawBuilder<unknown>>> =
  {
    numeric: (column) => sql`trim_scale(${column}::numeric)::text`,
    integer: (column) => sql`${column}::text`,
    bigint: (column) => sql`${column}::text`,
    'double precision': (column) => sql`trim_scale(${column}::numeric)::text`,
    boolean: (column) => sql`${column}::text`,
    date: (column) => sql`to_char(${column}, 'YYYY-MM-DD')`,
    timestamptz: (column) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    uuid: (column) => sql`${column}::text`,
  };

/** The content of a cell that shows a column of the list. */
function listedCell({ columns, cells }: ListSource, name: string): RawBuilder<unknown> {
  const { [name]: text } = cells ?? {};
  if (text !== undefined) return quoted(sql.raw(text));
  const { [name]: column } = columns;
  if (column === undefined) return sql`null`;
  const value = sql.raw(column.sql);
  return plainTexts[column.type]?.(value) ?? quoted(value);
}

/** The content of a cell without its quotes. */
function cell({ entity, source }: CsvRecords, name: string): RawBuilder<unknown> {
  const field = entity?.fields[name];
  if (entity && field?.type === 'relations') return relatedNames(entity.table);
  if (field === undefined || field.column === null || field.type === 'relations')
    return listedCell(source, name);
  const column = sql.raw(`r.${field.column}`);
  const labels = source.fields[name]?.labels;
  if (labels !== undefined && (field.type === 'scale' || field.type === 'code'))
    return labelled(column, labels);
  if (field.type === 'tags')
    return sql`case when ${column} = '{}' then '' else ${quoted(sql`array_to_string(${column}, '; ')`)} end`;
  return plainTexts[columnTypes[field.type]]?.(column) ?? quoted(column);
}

/**
 * Names of the assets related to the record `r`, as `joinNames` writes them, as the content of a cell. `offset 0` keeps
 * each lookup one by key: the planner takes an organization for a small share of a table, and would read all its rows for
 * each step. Names are sorted only where there are several.
 */
const relatedNames = (table: string): RawBuilder<unknown> => {
  const names = sql`
    select case when a.name ~ '[;"]' then '"' || replace(a.name, '"', '""') || '"' else a.name end as name, a.name as sorted
    from (
      select asset_id from ${sql.table(`${table}_asset`)}
      where organization_id = current_organization() and ${sql.ref(`${table}_id`)} = r.id offset 0
    ) l
    cross join lateral (
      select name from asset where organization_id = current_organization() and id = l.asset_id offset 0
    ) a`;
  return sql`(
    select ${quoted(sql`related.names`)} from (
      select case when count(*) < 2 then max(name)
        else (select string_agg(name, '; ' order by sorted) from (${names}) several) end as names
      from (${names}) one
    ) related)`;
};

/** Most rows of a part: the api holds three parts at most. */
const stepSize = 2000;

/** SQL of the size of the values of these fields that may be long; undefined when none may. */
function bytesOf({ entity, source, fields }: CsvRecords): RawBuilder<number> | undefined {
  if (entity === undefined) return source.bytes;
  const columns = fields.flatMap((name) => {
    const field = entity.fields[name];
    return field?.type === 'prose' && field.column !== null ? [field.column] : [];
  });
  const texts = longTexts(columns);
  if (fields.every((name) => entity.fields[name]?.type !== 'relations')) return texts;
  const names = relatedNamesBytes(entity.table);
  return texts ? sql<number>`(${texts} + ${names})` : names;
}

/**
 * Lines of the next part of all matching records, formatted and joined while they are read in the order of the list.
 * @param walk `onNext`: called with the cursor of the next part, if this is known before the lines are read
 */
export async function csvLinesFrom(
  trx: OrganizationTransaction,
  records: CsvRecords,
  {
    onNext,
    ...walk
  }: {
    query: FilterInput & { sort: string };
    cursor: string | undefined;
    onNext?: (next: string) => void;
  },
): Promise<Step<string>> {
  const { entity, fields } = records;
  const source = entity ? { ...records.source, from: `${entity.table} r` } : records.source;
  const cells = sql.join(fields.map((name) => sql`coalesce(${cell(records, name)}, '')`));
  const line = sql<string>`'"' || concat_ws('","', ${cells}) || E'"\n'`;
  const bytes = bytesOf(records);
  const limit = bytes ? await rowsOfPart(trx, source, { ...walk, bytes, limit: stepSize }) : stepSize;
  const until = await cursorAhead(trx, source, { ...walk, limit });
  if (until === undefined) return walkLines(trx, source, { ...walk, limit, line });
  onNext?.(until);
  const rows: string[] = [];
  let { cursor } = walk;
  // Records may have been added in the meantime.
  do {
    const step: Step<string> = await walkLines(trx, source, { ...walk, cursor, until, limit, line });
    rows.push(...step.rows);
    cursor = step.next;
  } while (cursor !== undefined && cursor !== until);
  return { rows, next: until };
}
