import { notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { contains, type FilterInput, type ListColumn, type ListSource } from './source.ts';

/** Whether the column is empty: null, an empty text or list, or the text `N/A`. */
export function isEmpty(column: ListColumn): RawBuilder<boolean> {
  const value = sql.raw(column.sql);
  if (column.type === 'text') return sql`${value} in ('', ${notAvailable})`;
  if (column.type === 'text[]') return sql`${value} = '{}'`;
  return sql`${value} is null`;
}

const and = (parts: RawBuilder<boolean>[]): RawBuilder<boolean> => sql`(${sql.join(parts, sql` and `)})`;
const or = (parts: RawBuilder<boolean>[]): RawBuilder<boolean> => sql`(${sql.join(parts, sql` or `)})`;

/** A filter value that is not a UUID matches no row and is not an error. */
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
 * Up to `max`, included. Timestamps are shown to the millisecond and stored to the microsecond, so the whole last
 * millisecond is included.
 */
export function isUpTo({ sql: text, type }: ListColumn, max: unknown): RawBuilder<boolean> {
  const value = sql.raw(text);
  if (type === 'timestamptz') return sql`${value} < ${max}::timestamptz + interval '1 millisecond'`;
  return sql`${value} <= ${max}::${boundType(type)}`;
}

/** One of these values; named bands and values with a condition are replaced by their condition. */
function isOneOf(column: ListColumn, values: string[]): RawBuilder<boolean> {
  const value = sql.raw(column.sql);
  const plain = values.filter((one) => !column.conditions?.[one] && !column.bands);
  const parts: RawBuilder<boolean>[] = [];
  if (plain.length > 0) parts.push(isAmong(column, plain));
  for (const one of values) {
    const condition = column.conditions?.[one];
    const band = column.bands?.find((known) => known.value === one);
    if (condition) parts.push(sql`(${sql.raw(condition)})`);
    if (band?.from !== undefined && band.below !== undefined)
      parts.push(sql`(${value} >= ${band.from} and ${value} < ${band.below})`);
    else if (band?.from !== undefined) parts.push(sql`${value} >= ${band.from}`);
    else if (band?.below !== undefined) parts.push(sql`${value} < ${band.below}`);
  }
  return or(parts);
}

/**
 * The condition of one field: its values and its range. Rows without a value match only if `N/A` is chosen (spec 5,
 * Lists).
 */
function fieldFilter(
  column: ListColumn,
  filter: { values: string[]; min: unknown; max: unknown },
): RawBuilder<boolean> | undefined {
  const values = filter.values.filter((value) => value !== notAvailable);
  const value = sql.raw(column.sql);
  const parts = [
    ...(values.length > 0 ? [isOneOf(column, values)] : []),
    ...(filter.min === undefined ? [] : [sql<boolean>`${value} >= ${filter.min}::${boundType(column.type)}`]),
    ...(filter.max === undefined ? [] : [isUpTo(column, filter.max)]),
  ];
  if (!filter.values.includes(notAvailable)) return parts.length > 0 ? and(parts) : undefined;
  return parts.length > 0 ? or([and(parts), isEmpty(column)]) : isEmpty(column);
}

/** The condition of a request's filters, without the field `except` (a facet is counted under the other filters). */
export const whereOf = (source: ListSource, input: FilterInput, except?: string): RawBuilder<boolean> =>
  and([sql`r.organization_id = current_organization()`, ...conditionsOf(source, input, except)]);

/** Whether a request without the field `except` selects all rows. */
export const isUnfiltered = (source: ListSource, input: FilterInput, except?: string): boolean =>
  conditionsOf(source, input, except).length === 0;

function conditionsOf(source: ListSource, input: FilterInput, except?: string): RawBuilder<boolean>[] {
  const filter = input as Readonly<Record<string, unknown>>;
  const parts: RawBuilder<boolean>[] = [];
  const { search } = filter;
  if (typeof search === 'string' && search.trim() !== '') parts.push(source.search(contains(search.trim())));
  for (const [name, column] of Object.entries(source.columns)) {
    if (name === except) continue;
    const values = (filter[name] ?? []) as string[];
    const part = fieldFilter(column, { values, min: filter[`${name}Min`], max: filter[`${name}Max`] });
    if (part) parts.push(part);
  }
  if (Array.isArray(filter['ids'])) parts.push(sql`r.id = any (${filter['ids']}::uuid[])`);
  for (const [name, condition] of Object.entries(source.extra)) {
    const value = filter[name];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      parts.push(condition(`${value}`));
  }
  return parts;
}

/** The condition of the rows that a bulk request selects, by id or by filter. */
export function selected(
  source: ListSource,
  selection: { ids?: string[] | undefined; filter?: FilterInput | undefined },
): RawBuilder<boolean> {
  if (selection.ids === undefined) return whereOf(source, selection.filter ?? {});
  return sql`(r.organization_id = current_organization() and r.id = any (${selection.ids}::uuid[]))`;
}
