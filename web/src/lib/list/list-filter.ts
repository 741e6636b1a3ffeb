import { notAvailable, type ListField, type ListFields } from '@riskboard/contract';
import { formatCount, formatDay } from '@riskboard/domain';
import { formatDate, formatNumber } from '../format/format.ts';
import { changed, type AnyListState } from './list-state.ts';

/** Filter of one field. `values` may contain `N/A`; a range excludes rows without a value. */
export interface FieldFilter {
  readonly values: readonly string[];
  /** A number, or a day ('2026-11-21') or moment. */
  readonly min?: string | number | undefined;
  readonly max?: string | number | undefined;
}

/** Label of a field's value. */
export type ValueLabel = (field: string, value: string) => string;

export function filterOf(state: AnyListState, field: string): FieldFilter {
  return {
    values: (state[field] as readonly string[] | undefined) ?? [],
    min: state[`${field}Min`] as FieldFilter['min'],
    max: state[`${field}Max`] as FieldFilter['max'],
  };
}

export const isFiltered = ({ values, min, max }: FieldFilter): boolean =>
  values.length > 0 || min !== undefined || max !== undefined;

/** The filter with a range of levels, such as that of a link, replaced by the levels in it, which can be chosen. */
export function rangeAsLevels({ levels, values: known = [] }: ListField, filter: FieldFilter): FieldFilter {
  const { values, min, max } = filter;
  if (levels !== true || (min === undefined && max === undefined)) return filter;
  const inRange = known.filter(
    (level) =>
      (min === undefined || Number(level) >= Number(min)) &&
      (max === undefined || Number(level) <= Number(max)),
  );
  const chosen = inRange.filter((level) => values.includes(level));
  const isOfValues = values.some((value) => value !== notAvailable);
  return {
    values: [...(isOfValues ? chosen : inRange), ...values.filter((value) => value === notAvailable)],
  };
}

/** The state with the filter of one field replaced, on page 1 (spec 5, Lists). */
export function withFilter<S extends AnyListState>(state: S, field: string, filter: FieldFilter): S {
  const change: Record<string, unknown> = {
    [field]: filter.values.length === 0 ? undefined : [...filter.values],
  };
  for (const [end, bound] of [
    ['Min', filter.min],
    ['Max', filter.max],
  ] as const) {
    const name = `${field}${end}`;
    if (bound !== undefined || state[name] !== undefined) change[name] = bound;
  }
  return changed(state, change as Partial<S>);
}

/** Fields with a filter, in the order of the list. */
export const filteredFields = (fields: ListFields, state: AnyListState): string[] =>
  Object.keys(fields).filter((name) => isFiltered(filterOf(state, name)));

/** The state without search and filters. */
export function cleared<S extends AnyListState>(fields: ListFields, state: S, extra: readonly string[]): S {
  const names = Object.keys(fields).flatMap((name) => [name, `${name}Min`, `${name}Max`]);
  const cleared = [...names, ...extra, 'view'].filter((name) => state[name] !== undefined);
  return changed(state, {
    search: '',
    ...Object.fromEntries(cleared.map((name) => [name, undefined])),
  } as Partial<S>);
}

/**
 * The day of a limit that is the start or end of a day in UTC, as links of the overview have it; undefined for every other
 * moment, and where the reader's days are those of UTC.
 */
export function utcDayOf(bound: string): string | undefined {
  const [, day] = /^(\d{4}-\d{2}-\d{2})T(?:00:00(?::00(?:\.0+)?)?|23:59:59\.9+)Z$/u.exec(bound) ?? [];
  return day === undefined || new Date(bound).getTimezoneOffset() === 0 ? undefined : day;
}

function boundText(bound: string | number): string {
  if (typeof bound === 'number') return formatNumber(bound);
  const day = utcDayOf(bound);
  if (day !== undefined) return `${formatDay(day)} UTC`;
  return formatDate(bound.includes('T') ? bound : `${bound}T00:00:00`);
}

function rangeText({ kind }: ListField, { min, max }: FieldFilter): string | undefined {
  const [low, high] = [min, max].map((bound) => (bound === undefined ? undefined : boundText(bound)));
  if (low !== undefined && high !== undefined) return `${low} – ${high}`;
  if (low !== undefined) return kind !== 'number' ? `from ${low}` : `min ${low}`;
  if (high !== undefined) return kind !== 'number' ? `until ${high}` : `max ${high}`;
  return undefined;
}

/** 'Severity: Critical, High', 'CVSS: min 7 or N/A', 'Severity: min 5 and Critical', for chips and empty results. */
export function filterText(
  name: string,
  field: ListField,
  { filter, labelOf }: { filter: FieldFilter; labelOf: ValueLabel },
): string {
  const named = filter.values.filter((value) => value !== notAvailable).map((value) => labelOf(name, value));
  const shown = named.length > 3 ? [...named.slice(0, 2), `${formatCount(named.length - 2)} more`] : named;
  // Rows match both the range and the values; those without a value are added to them.
  const both = [rangeText(field, filter), shown.join(', ')].filter(
    (part) => part !== undefined && part !== '',
  );
  const parts = [both.join(' and '), filter.values.includes(notAvailable) ? notAvailable : ''];
  return `${field.label}: ${parts.filter((part) => part !== '').join(' or ')}`;
}

/** Local midnight at which a day begins, or `later` days after it: days are 23 to 25 hours long. */
function midnight(day: string, later: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later);
}

/** The last day of the year 9999 ends later west of Greenwich, and the API keeps no later years. */
const lastMoment = Date.UTC(10_000, 0) - 1;

/** A limit as the API accepts it: days become timestamps; the last day is included. */
function momentOf(bound: string, end: 'Min' | 'Max'): string {
  if (bound.includes('T')) return bound;
  return end === 'Min'
    ? midnight(bound, 0).toISOString()
    : new Date(Math.min(midnight(bound, 1).getTime() - 1, lastMoment)).toISOString();
}

/** Query parameters of the filters; those that are not set are omitted. */
export function filterQuery(
  fields: ListFields,
  state: AnyListState,
  extra: readonly string[],
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  if (state.search !== '') query['search'] = state.search;
  for (const [name, { kind }] of Object.entries(fields)) {
    const { values, min, max } = filterOf(state, name);
    if (values.length > 0) query[name] = values;
    for (const [end, bound] of [
      ['Min', min],
      ['Max', max],
    ] as const) {
      if (bound !== undefined)
        query[`${name}${end}`] = kind === 'time' ? momentOf(String(bound), end) : bound;
    }
  }
  for (const name of extra) if (state[name] !== undefined) query[name] = state[name];
  return query;
}
