import { notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Condition, fieldFilter, foundBy, inOrganization, ofOneValue } from './filter.ts';
import { contains, type FilterInput, type ListColumn, type ListSource, type LinkedRows } from './source.ts';

/** The condition of a request's filters, without the field `except` (a facet is counted under the other filters). */
export const whereOf = (source: ListSource, input: FilterInput, except?: string): RawBuilder<boolean> =>
  inOrganization(conditionsOf(source, input, except).map(({ isMet }) => isMet));

/** Names of a request's filters: of fields, and of others such as the search. */
export const filtersOf = (source: ListSource, input: FilterInput): Set<string> =>
  new Set(conditionsOf(source, input).map(({ name }) => name));

/** Whether a request without the field `except` selects all rows. */
export const isUnfiltered = (source: ListSource, input: FilterInput, except?: string): boolean =>
  conditionsOf(source, input, except).length === 0;

/**
 * Whether a request selects a whole list without a counter, or a whole part of a table, by the time of `newestBy` or by
 * another column with an index.
 */
export const isByIndex = (source: ListSource, input: FilterInput, sorted: ListColumn): boolean =>
  (sorted.isIndexed === true || sorted.sql === source.newestBy) &&
  conditionsOf(source, input).every(({ name }) => name === source.scope);

/**
 * Whether an index holds the rows of the request in the order of this sort: those of a whole list, or of one part of a table
 * ({@link isByIndex}); those under one filter by a value of a compared column, by the time of creation.
 */
export function isReadInOrder(source: ListSource, input: FilterInput, sorted: ListColumn): boolean {
  if (isByIndex(source, input, sorted)) return true;
  const [condition, ...others] = conditionsOf(source, input);
  if (condition === undefined || others.length > 0 || sorted.sql !== 'r.created_at') return false;
  const values = (input as Readonly<Record<string, unknown>>)[condition.name];
  if (!Array.isArray(values) || source.columns[condition.name]?.isCompared !== true) return false;
  return values.length === 1 && values[0] !== notAvailable;
}

/** Types whose ranges row-level security leaves to an index. Numbers are compared as numeric, which is not leakproof. */
const leakproofRanges = new Set<ListColumn['type']>(['timestamptz', 'date']);

/**
 * The request's range of the field that the list is sorted by: the index of the sort holds its rows next to each other.
 * Undefined without such a range.
 */
export function rangeOfSort(
  source: ListSource,
  input: FilterInput,
  sorted: ListColumn,
): RawBuilder<boolean> | undefined {
  const filter = input as Readonly<Record<string, unknown>>;
  const name = Object.keys(source.columns).find((one) => source.columns[one] === sorted);
  if (name === undefined || filter[name] !== undefined || !leakproofRanges.has(sorted.type)) return undefined;
  return fieldFilter(sorted, { values: [], min: filter[`${name}Min`], max: filter[`${name}Max`] });
}

/** Parameters of lists, facets and exports that select no rows. */
const otherParameters: ReadonlySet<string> = new Set([
  'page',
  'pageSize',
  'sort',
  'cursor',
  'total',
  'field',
  'facetSearch',
  'format',
  'columns',
]);

/** Filters that every list has beside its fields. */
const commonFilters: ReadonlySet<string> = new Set(['search', 'ids']);

/** Names of the filters that a request sets. */
const givenIn = (input: FilterInput): string[] =>
  Object.entries(input).flatMap(([name, value]) =>
    value === undefined || otherParameters.has(name) ? [] : [name],
  );

/**
 * Refuses a filter that the source does not handle: if it were ignored, every row would be returned, or selected for a
 * bulk action.
 * @throws Error
 */
function requireHandled({ columns, extra, linked = {} }: ListSource, input: FilterInput): void {
  const unhandled = givenIn(input).filter(
    (name) =>
      !commonFilters.has(name) &&
      !Object.hasOwn(extra, name) &&
      !Object.hasOwn(linked, name) &&
      !Object.hasOwn(columns, name) &&
      !Object.hasOwn(columns, name.replace(/(?:Min|Max)$/u, '')),
  );
  if (unhandled.length > 0) throw new Error(`The list does not handle the filters ${unhandled.join(', ')}.`);
}

/** The conditions of a request's filters, all of which a row meets. @throws Error for a filter that the list does not handle */
export function conditionsOf(source: ListSource, input: FilterInput, except?: string): Condition[] {
  requireHandled(source, input);
  const filter = input as Readonly<Record<string, unknown>>;
  const parts: Condition[] = [];
  const { search } = filter;
  if (typeof search === 'string' && search.trim() !== '') {
    const pattern = contains(search.trim());
    parts.push({ name: 'search', isMet: source.search(pattern), ...source.searchIndex?.(pattern) });
  }
  for (const [name, column] of Object.entries(source.columns)) {
    if (name === except) continue;
    const chosen = {
      values: (filter[name] ?? []) as string[],
      min: filter[`${name}Min`],
      max: filter[`${name}Max`],
    };
    const isMet = fieldFilter(column, chosen);
    const found = isMet && source.table && foundBy(source, column, chosen);
    const isValue =
      source.table && source.fields[name]?.sortable !== false ? ofOneValue(column, chosen) : undefined;
    if (isMet) parts.push({ name, isMet, ...found, ...(isValue && { isValue }) });
  }
  if (Array.isArray(filter['ids']))
    parts.push({ name: 'ids', isMet: sql`r.id = any (${filter['ids']}::uuid[])` });
  for (const [name, condition] of Object.entries(source.extra)) {
    const [value, ...others] = [filter[name] ?? []].flat().map(String);
    if (value === undefined) continue;
    const byRow = source.byRow?.[name];
    parts.push({
      name,
      isMet: condition(value, ...others),
      ...(byRow && { isMetByRow: byRow(value, ...others) }),
    });
  }
  for (const [name, linkedRows] of Object.entries(source.linked ?? {})) {
    const value = filter[name];
    if (typeof value === 'string') parts.push(linkCondition(name, linkedRows(value)));
  }
  return parts;
}

/** The rows of a filter are few, or it is met by many and tested row by row. */
const linkCondition = (name: string, { ids, isMet }: LinkedRows): Condition => ({
  name,
  isMet: sql`r.id = any (array(${ids}))`,
  isMetByRow: isMet,
  ids: (most) => sql`select id from (${ids}) linked (id) limit ${most}`,
});

/** The filter of a bulk request sets parameters that limit no rows, such as an empty list of values. */
export class UnlimitedFilter extends Error {
  constructor(names: readonly string[]) {
    super(`The filter limits no rows: ${names.join(', ')}. Send {} to select all.`);
  }
}

/**
 * The condition of the rows that a bulk request selects, by id or by filter; a filter without parameters selects all.
 * @throws UnlimitedFilter when the filter has parameters, but none of them limits the rows
 */
export function selected(
  source: ListSource,
  selection: { ids?: string[] | undefined; filter?: FilterInput | undefined },
): RawBuilder<boolean> {
  if (selection.ids === undefined) {
    const { filter = {} } = selection;
    const given = givenIn(filter);
    if (given.length > 0 && isUnfiltered(source, filter)) throw new UnlimitedFilter(given);
    return whereOf(source, filter);
  }
  return inOrganization([sql`r.id = any (${selection.ids}::uuid[])`]);
}
