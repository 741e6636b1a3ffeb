import { notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { sortValue } from './sort.ts';
import { type ListColumn, type ListSource, tableColumn } from './source.ts';

/** Whether the column is empty: null, an empty text or list, or the text `N/A`. */
export function isEmpty(column: ListColumn): RawBuilder<boolean> {
  const value = sql.raw(column.sql);
  if (column.isCompared) return isAmong(column, ['', notAvailable]);
  // In terms of the index of the sort.
  if (column.type === 'text' && !column.required)
    return sql`(nullif(${value}, '') is null or nullif(${value}, '') = ${notAvailable})`;
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
  const [first, ...others] = values;
  // With one value, the index holds its rows in the order of the creation time.
  if (column.isCompared && first !== undefined && others.length === 0) return sql`${value} = ${first}`;
  if (column.isCompared) return sql`${value} = any (${values}::text[])`;
  // In terms of the index of the sort (migration 0042).
  if (column.type === 'text' && !column.required) return sql`nullif(${value}, '') = any (${values}::text[])`;
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

interface FieldFilter {
  values: string[];
  min: unknown;
  max: unknown;
}

/** Types whose comparison row-level security leaves to an index. */
const leakproofTypes = new Set<ListColumn['type']>(['text', 'integer', 'boolean', 'uuid']);

/** The condition of the rows with one value, in terms of the index of the sort. Undefined for other filters. */
export function ofOneValue(column: ListColumn, { values, min, max }: FieldFilter): Condition['isValue'] {
  const [value, ...others] = values;
  if (value === undefined || value === notAvailable || others.length > 0) return undefined;
  if (min !== undefined || max !== undefined || column.conditions?.[value] || column.bands) return undefined;
  if (tableColumn(column) === undefined || !leakproofTypes.has(column.type)) return undefined;
  if (column.type === 'uuid' && !idForm.test(value)) return undefined;
  return {
    isMet: sql`${sortValue(column)} = ${value}::${sql.raw(column.type)}`,
    isOfText: column.type === 'text' && !column.required,
  };
}

interface Range {
  from?: number | undefined;
  /** Excluded, unless `upTo` is set. */
  below?: number | undefined;
  upTo?: number | undefined;
}

/** A range of PostgreSQL's type numrange. */
const rangeText = ({ from, below, upTo }: Range): string =>
  `[${from ?? ''},${upTo ?? below ?? ''}${upTo === undefined ? ')' : ']'}`;

type Found = Required<Pick<Condition, 'ids'>> & Pick<Condition, 'count'>;

/** The rows in the chosen bands or in the range of a number. Undefined for other filters. */
function foundInRanges(
  { table }: ListSource,
  field: ListColumn,
  { values, min, max }: FieldFilter,
): Found | undefined {
  const column = tableColumn(field);
  if (table === undefined || field.type !== 'numeric' || column === undefined) return undefined;
  const chosen = (field.bands ?? []).filter(({ value }) => values.includes(value));
  const isRange = min !== undefined || max !== undefined;
  // Rows that one condition of several keeps are not read from one index.
  if (chosen.length !== values.length || isRange === chosen.length > 0) return undefined;
  const [from, upTo] = [min, max].map((value) => (value === undefined ? undefined : Number(value)));
  if (from !== undefined && upTo !== undefined && from > upTo) return undefined;
  const ranges = (isRange ? [{ from, upTo }] : chosen).map(rangeText);
  return {
    ids: (most) => sql`select ids_in_ranges(${table}, ${column}, ${ranges}::numrange[], ${most})`,
    count: (most) => sql`count_in_ranges(${table}, ${column}, ${ranges}::numrange[], ${most})`,
  };
}

/** The vulnerabilities with one of these weaknesses. */
function foundByWeaknesses(
  { table }: ListSource,
  { sql: text }: ListColumn,
  { values }: FieldFilter,
): Found | undefined {
  if (table !== 'vulnerability' || text !== 'r.cwe' || values.includes(notAvailable)) return undefined;
  const [weakness, ...others] = values;
  if (others.length === 0)
    return {
      ids: (most) => sql`select vulnerabilities_of_weakness(${weakness}, ${most})`,
      count: (most) => sql`count_of_weakness(${weakness}, ${most})`,
    };
  return {
    ids: (most) => sql`
      select distinct found.id from unnest(${values}::text[]) weakness, vulnerabilities_of_weakness(weakness, ${most}) found (id)`,
  };
}

/** How rows under the filter of a field are found that its condition would not read from one index. */
export function foundBy(source: ListSource, column: ListColumn, filter: FieldFilter): Found | undefined {
  if (!filter.values.includes(notAvailable))
    return foundInRanges(source, column, filter) ?? foundByWeaknesses(source, column, filter);
  if (column.isCompared) return undefined;
  const values = filter.values.filter((value) => value !== notAvailable);
  const rest = { ...filter, values };
  const others = foundInRanges(source, column, rest) ?? foundByWeaknesses(source, column, rest);
  const isMet = others ? undefined : fieldFilter(column, rest);
  const { type } = column;
  const value = sql.raw(column.sql);
  const empties: RawBuilder<boolean>[] =
    type === 'text' && !column.required
      ? [sql`nullif(${value}, '') is null`, sql`nullif(${value}, '') = ${notAvailable}`]
      : [isEmpty(column)];
  const rows = (most: number | null) =>
    [...(isMet ? [isMet] : []), ...empties].map(
      (condition) =>
        sql`(select r.id from ${sql.raw(source.from)} where ${ofOrganization} and ${condition} limit ${most})`,
    );
  const ids = (most: number | null) =>
    sql.join([...(others ? [sql`(${others.ids(most)})`] : []), ...rows(most)], sql` union all `);
  const counted = others?.count;
  if (counted === undefined) return { ids };
  const countEmpties = (most: number) =>
    sql`(select count(*)::int from (${sql.join(rows(most), sql` union all `)}) empties)`;
  // The rows without a value are counted only when the others are fewer than are wanted; `offset 0` as in `findIds`.
  const count = (most: number) => sql`(
    select case when count >= ${most} then count else count + ${countEmpties(most)} end
    from (select ${counted(most)} as count offset 0) others)`;
  return { ids, count };
}

/**
 * The condition of one field: its values and its range. Rows without a value match only if `N/A` is chosen (spec 5,
 * Lists).
 */
export function fieldFilter(column: ListColumn, filter: FieldFilter): RawBuilder<boolean> | undefined {
  const values = filter.values.filter((value) => value !== notAvailable);
  const value = sql.raw(column.sql);
  const parts = [
    ...(values.length > 0 ? [isOneOf(column, values)] : []),
    ...(filter.min === undefined ? [] : [sql<boolean>`${value} >= ${filter.min}::${boundType(column.type)}`]),
    ...(filter.max === undefined ? [] : [isUpTo(column, filter.max)]),
  ];
  if (!filter.values.includes(notAvailable)) return parts.length > 0 ? and(parts) : undefined;
  if (column.isCompared) return isAmong(column, [...values, '', notAvailable]);
  return parts.length > 0 ? or([and(parts), isEmpty(column)]) : isEmpty(column);
}

/** One condition of a request's filters. */
export interface Condition {
  /** Name of the filter in the request. */
  name: string;
  /** The condition in a query that reads all rows that match. */
  isMet: RawBuilder<boolean>;
  /** The condition as a test of each row, where `isMet` looks all its rows up. */
  isMetByRow?: RawBuilder<boolean>;
  /**
   * Selects the ids of at most `most` rows that meet the condition, of all with null. The search role reads them from an
   * index that row-level security keeps from `isMet` (decision 0012).
   */
  ids?: (most: number | null) => RawBuilder<unknown>;
  /** The number of rows that meet the condition, or at least `most`; less work than counting their ids. */
  count?: (most: number) => RawBuilder<unknown>;
  /** Selects `count` and `ids` at once: the number of rows, or at least `most`, and of at most `mostIds` rows their ids. */
  find?: (most: number, mostIds: number) => RawBuilder<unknown>;
  /** A condition by one value, in terms of the index of its column's sort, which holds its rows in the order of their ids. */
  isValue?: {
    isMet: RawBuilder<boolean>;
    /** A text that may be empty. Few rows may have it, such as one CVE; PostgreSQL begins with these rows. */
    isOfText: boolean;
  };
  /** Several conditions by one value as one: `find` merges their indexes, and returns the ids of all rows that it counts. */
  isMerged?: true;
  /** Undefined where the rows have no such parts. */
  parts?: (trx: OrganizationTransaction) => Promise<Parts | undefined>;
}

/** Conditions of which each row that meets the whole meets exactly one. */
export interface Parts {
  /** An index holds the rows of each in the order of their creation. */
  inOrder: RawBuilder<boolean>[];
  /** At most a thousand rows. */
  few: RawBuilder<boolean>;
}

export const ofOrganization: RawBuilder<boolean> = sql`r.organization_id = current_organization()`;

/** The rows of the organization that meet all these conditions. */
export const inOrganization = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  and([ofOrganization, ...conditions]);
