import { notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { contains, type FilterInput, type ListColumn, type ListSource } from './source.ts';

/** Whether the column holds nothing: empty texts and lists count as nothing, and so does what stands for it in words. */
export function isEmpty(column: ListColumn): RawBuilder<boolean> {
  const value = sql.raw(column.sql);
  if (column.type === 'text') return sql`${value} in ('', ${notAvailable})`;
  if (column.type === 'text[]') return sql`${value} = '{}'`;
  return sql`${value} is null`;
}

const and = (parts: RawBuilder<boolean>[]): RawBuilder<boolean> => sql`(${sql.join(parts, sql` and `)})`;
const or = (parts: RawBuilder<boolean>[]): RawBuilder<boolean> => sql`(${sql.join(parts, sql` or `)})`;

/** What is no identifier is nothing that a column of identifiers holds, and no mistake. */
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

function isAmong(column: ListColumn, values: string[]): RawBuilder<boolean> {
  const value = sql.raw(column.sql);
  if (column.type === 'text[]') return sql`${value} && ${values}::text[]`;
  const known = column.type === 'uuid' ? values.filter((one) => idForm.test(one)) : values;
  return sql`${value} = any (${known}::${sql.raw(column.type)}[])`;
}

/** The type of a range's bounds: numbers of every type are compared as numeric. */
const boundType = (type: ListColumn['type']): RawBuilder<unknown> =>
  sql.raw(type === 'timestamptz' || type === 'date' ? type : 'numeric');

/**
 * Up to and with this. Moments are shown to the millisecond and kept to the microsecond: the whole of the last
 * millisecond belongs to it.
 */
function isUpTo({ sql: text, type }: ListColumn, max: unknown): RawBuilder<boolean> {
  const value = sql.raw(text);
  if (type === 'timestamptz') return sql`${value} < ${max}::timestamptz + interval '1 millisecond'`;
  return sql`${value} <= ${max}::${boundType(type)}`;
}

/** One of these values; a value with a meaning or a band of its own is that condition. */
function isOneOf(column: ListColumn, values: string[]): RawBuilder<boolean> {
  const value = sql.raw(column.sql);
  const plain = values.filter((one) => !column.meanings?.[one] && !column.bands);
  const parts: RawBuilder<boolean>[] = [];
  if (plain.length > 0) parts.push(isAmong(column, plain));
  for (const one of values) {
    const meaning = column.meanings?.[one];
    const band = column.bands?.find((known) => known.value === one);
    if (meaning) parts.push(sql`(${sql.raw(meaning)})`);
    if (band?.from !== undefined && band.below !== undefined)
      parts.push(sql`(${value} >= ${band.from} and ${value} < ${band.below})`);
    else if (band?.from !== undefined) parts.push(sql`${value} >= ${band.from}`);
    else if (band?.below !== undefined) parts.push(sql`${value} < ${band.below}`);
  }
  return or(parts);
}

/**
 * What one field asks: its values, its range, and whether rows without a value stay. Those are kept only if `N/A` is
 * chosen (spec 5, Lists).
 */
function fieldFilter(
  column: ListColumn,
  asked: { values: string[]; min: unknown; max: unknown },
): RawBuilder<boolean> | undefined {
  const values = asked.values.filter((value) => value !== notAvailable);
  const value = sql.raw(column.sql);
  const parts = [
    ...(values.length > 0 ? [isOneOf(column, values)] : []),
    ...(asked.min === undefined ? [] : [sql<boolean>`${value} >= ${asked.min}::${boundType(column.type)}`]),
    ...(asked.max === undefined ? [] : [isUpTo(column, asked.max)]),
  ];
  if (!asked.values.includes(notAvailable)) return parts.length > 0 ? and(parts) : undefined;
  return parts.length > 0 ? or([and(parts), isEmpty(column)]) : isEmpty(column);
}

/** Everything that a request narrows a list by, but for what `except` asks (a facet is counted under the others). */
export function whereOf(source: ListSource, asked: FilterInput, except?: string): RawBuilder<boolean> {
  const filter = asked as Readonly<Record<string, unknown>>;
  const parts: RawBuilder<boolean>[] = [sql`r.organization_id = current_organization()`];
  const { search } = filter;
  if (typeof search === 'string' && search.trim() !== '') parts.push(source.search(contains(search.trim())));
  for (const [name, column] of Object.entries(source.columns)) {
    if (name === except) continue;
    const values = (filter[name] ?? []) as string[];
    const part = fieldFilter(column, { values, min: filter[`${name}Min`], max: filter[`${name}Max`] });
    if (part) parts.push(part);
  }
  for (const [name, condition] of Object.entries(source.extra)) {
    const value = filter[name];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      parts.push(condition(`${value}`));
  }
  return and(parts);
}

/** The rows that a bulk action is asked to work on. */
export function selected(
  source: ListSource,
  selection: { ids?: string[] | undefined; filter?: FilterInput | undefined },
): RawBuilder<boolean> {
  if (selection.ids === undefined) return whereOf(source, selection.filter ?? {});
  return sql`(r.organization_id = current_organization() and r.id = any (${selection.ids}::uuid[]))`;
}
