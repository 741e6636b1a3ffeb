import { type Facets, mostCounted, notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { isEmpty } from './filter.ts';
import { isFoundSoon, type Narrowed, narrow, rowsTested, type Seen } from './narrow.ts';
import { readingInOrder } from '../query-plans.ts';
import { segmentsOf, type Sort, sortValue } from './sort.ts';
import { contains, type FilterInput, type ListColumn, type ListSource, tableColumn } from './source.ts';
import { totalOf } from './total.ts';

type Facet = Facets['facets'][string];

/** Values that one facet returns; `facetSearch` finds the others. */
const mostValues = 200;

/** The value that each row is counted under: the name of its band, or each item of its list. */
function valueOf(column: ListColumn): { value: RawBuilder<unknown>; join: RawBuilder<unknown> } {
  const raw = sql.raw(column.sql);
  if (column.type === 'text[]') {
    return { value: sql`item.value`, join: sql`left join lateral unnest(${raw}) item (value) on true` };
  }
  if (column.bands) {
    const cases = column.bands.map(({ value, from, below }) => {
      const low = from === undefined ? sql`true` : sql`${raw} >= ${from}`;
      const high = below === undefined ? sql`true` : sql`${raw} < ${below}`;
      return sql`when ${raw} is not null and ${low} and ${high} then ${value}`;
    });
    return { value: sql`case ${sql.join(cases, sql` `)} end`, join: sql`` };
  }
  return { value: sql`${raw}::text`, join: sql`` };
}

/**
 * Distinct values and counts of each of these fields, each under the filters of all the others (contract, HTTP). Of a list
 * that the overview counts, when more than `mostCounted` rows match, the newest `rowsTested` of them are counted, so that the
 * cost does not grow with it.
 */
export async function facetsOf(
  trx: OrganizationTransaction,
  source: ListSource,
  query: FilterInput & { field?: string[] | undefined; facetSearch?: string | undefined },
): Promise<Facets> {
  const names =
    query.field ?? Object.keys(source.fields).filter((name) => source.fields[name]?.kind !== 'text');
  const facets: Record<string, Facet> = {};
  const seen: Seen = {};
  for (const name of new Set(names)) {
    const field = source.fields[name];
    const column = source.columns[name];
    if (!field || !column || field.kind === 'text') continue;
    const narrowed = await narrowedFor(trx, source, { query, name, seen });
    const { where } = narrowed;
    const total = source.counter && (await totalOf(trx, source, { query, narrowed, except: name }));
    const isCapped = (total?.total ?? 0) > mostCounted || total?.totalIsCapped === true;
    const facet = { column, rows: isCapped ? newest(source, where) : all(source, where), isCapped };
    const ranged = field.kind === 'number' || field.kind === 'day' || field.kind === 'time';
    const read = async (): Promise<Facet> => ({
      ...(ranged && !column.bands
        ? await emptiness(trx, facet)
        : await valuesOf(trx, source, { ...facet, search: query.facetSearch })),
      ...(ranged ? await rangeOf(trx, source, facet) : {}),
      ...(isCapped && { isCapped }),
    });
    facets[name] = await (isCapped ? readingInOrder(trx, read) : read());
  }
  return { facets };
}

/** Matches among the newest rows from which on rows are tested one by one. */
const manyMatches = 51;

/** How the rows are found that a field is counted under: as in the list. */
async function narrowedFor(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, name, seen }: { query: FilterInput; name: string; seen: Seen },
): Promise<Narrowed> {
  const narrowed = await narrow(trx, source, { query, except: name, seen });
  const { byRow } = narrowed;
  const first = { condition: sql<boolean>`true`, order: sql`r.id desc`, least: manyMatches };
  if (byRow === undefined || !(await isFoundSoon(trx, source, { byRow, ...first }))) return narrowed;
  return { ...narrowed, where: byRow };
}

const all = (source: ListSource, where: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`select r.* from ${sql.raw(source.from)} where ${where}`;

const newest = (source: ListSource, where: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`${all(source, where)} order by r.id desc limit ${sql.lit(rowsTested)}`;

interface FacetQuery {
  column: ListColumn;
  /** The query of the rows that are counted. */
  rows: RawBuilder<unknown>;
  /** There are more rows than are counted. */
  isCapped: boolean;
  search?: string | undefined;
}

async function valuesOf(trx: OrganizationTransaction, source: ListSource, facet: FacetQuery): Promise<Facet> {
  const { label } = facet.column;
  const { rows } = await sql<Facet['values'][number]>`
    select * from (${label === undefined ? counted(facet) : countedByLabel(facet, label)}) counted
    ${named(facet)} order by count desc, value limit ${mostValues + 1}`.execute(trx);
  if (!facet.isCapped || rows.length > mostValues)
    return { values: rows.slice(0, mostValues), more: rows.length > mostValues };
  const known = new Set(rows.map(({ value }) => value));
  const older = (await valuesOfAll(trx, source, facet)).filter(({ value }) => !known.has(value));
  const values = [...rows, ...older];
  return { values: values.slice(0, mostValues), more: values.length > mostValues };
}

/** The condition of `facetSearch` on a value and its label. */
function named({ column: { label }, search }: FacetQuery): RawBuilder<unknown> {
  const wanted = search?.trim() ?? '';
  const searched = label === undefined ? sql`value` : sql`concat_ws(' ', value, label)`;
  return wanted === '' ? sql`` : sql`where ${searched} ilike ${contains(wanted)}`;
}

function counted({ column, rows }: FacetQuery): RawBuilder<unknown> {
  const { value, join } = valueOf(column);
  return sql`
    select coalesce(nullif(${value}, ''), ${notAvailable}) as value, count(*)::int as count
    from (${rows}) r ${join} group by 1`;
}

/** Groups by value and label first, so that only the few pairs are sorted by time. */
function countedByLabel(
  { column, rows }: FacetQuery,
  label: NonNullable<ListColumn['label']>,
): RawBuilder<unknown> {
  const { value } = valueOf(column);
  return sql`
    select coalesce(value, ${notAvailable}) as value, sum(count)::int as count,
      case when value is null then ${notAvailable} else (array_agg(label order by newest desc))[1] end as label
    from (
      select ${value} as value, ${sql.raw(label.sql)} as label, count(*) as count, max(${sql.raw(label.at)}) as newest
      from (${rows}) r group by 1, 2
    ) labelled group by labelled.value`;
}

/**
 * Values of all rows of a list, those that no filter keeps included, with the count 0. Each is read by one step in the index of the sort,
 * so that the cost depends on the number of values alone; with `facetSearch` at most `mostCounted` values are searched.
 */
async function valuesOfAll(
  trx: OrganizationTransaction,
  source: ListSource,
  facet: FacetQuery,
): Promise<Facet['values']> {
  const { column } = facet;
  const from = sql.raw(source.from);
  const [segment] = segmentsOf({ column, descending: true });
  if (segment === undefined) return [];
  const value = sortValue(column);
  const mine = sql`r.organization_id = current_organization() and ${segment.condition}`;
  const label =
    column.label &&
    sql`, (select ${sql.raw(column.label.sql)} from ${from} where ${mine} and ${value} = found limit 1) as label`;
  const names = column.type === 'text[]' ? sql`unnest(found)` : sql`found::text`;
  const most = (facet.search?.trim() ?? '') === '' ? mostValues + 1 : mostCounted;
  const read = sql`
    with recursive step (found) as (
      (select ${value} from ${from} where ${mine} order by ${segment.order} limit 1)
      union all
      select (select ${value} from ${from} where ${mine} and ${value} < found order by ${segment.order} limit 1)
      from step where found is not null
    )
    select distinct ${names} as value ${label ?? sql``}
    from (select found from step where found is not null limit ${most}) step`;
  const lists = listsOf(source, column, most);
  const { rows } = await sql<Omit<Facet['values'][number], 'count'>>`
    select * from (${bandsOf(column) ?? lists ?? read}${column.required ? sql`` : emptyValue(column)}) known
    ${named(facet)} order by value limit ${mostValues + 1}`.execute(trx);
  return rows.map((row) => ({ ...row, count: 0 }));
}

/** The same for a column of lists, whose comparison is not leakproof: by the search role (migration 0052). */
function listsOf({ table }: ListSource, column: ListColumn, most: number): RawBuilder<unknown> | undefined {
  const name = tableColumn(column);
  if (column.type !== 'text[]' || table === undefined || name === undefined) return undefined;
  return sql`select distinct unnest(found) as value from lists_in_column(${table}, ${name}, ${most}) found`;
}

/** The row of the empty value in a query of values. */
const emptyValue = ({ label }: ListColumn): RawBuilder<unknown> =>
  label === undefined
    ? sql` union all select ${notAvailable}`
    : sql` union all select ${notAvailable}, ${notAvailable}`;

const bandsOf = ({ bands }: ListColumn): RawBuilder<unknown> | undefined =>
  bands && sql`select unnest(${bands.map(({ value }) => value)}::text[]) as value`;

/** Numbers and times have too many values to list: counts only the rows without one. */
async function emptiness(
  trx: OrganizationTransaction,
  { column, rows, isCapped }: FacetQuery,
): Promise<Facet> {
  if (column.required) return { values: [], more: false };
  const { rows: counts } = await sql<{ count: number }>`
    select count(*)::int as count from (${rows}) r where ${isEmpty(column)}`.execute(trx);
  const count = counts[0]?.count ?? 0;
  return { values: count > 0 || isCapped ? [{ value: notAvailable, count }] : [], more: false };
}

/** A day is read as text. */
type Bound = number | string | Date | null;

/** The least and the greatest value: of all rows of the list when not all that match are counted. */
async function rangeOf(
  trx: OrganizationTransaction,
  source: ListSource,
  { column, rows: counted, isCapped }: FacetQuery,
): Promise<Pick<Facet, 'min' | 'max'>> {
  const value = sql.raw(column.sql);
  const bounds = isCapped
    ? sql`select ${boundOf(source, { column, descending: false })} as min, ${boundOf(source, { column, descending: true })} as max`
    : sql`select min(${value}) as min, max(${value}) as max from (${counted}) r`;
  const { rows } = await sql<{ min: Bound; max: Bound }>`${bounds}`.execute(trx);
  const plain = (bound: Bound | undefined) => (bound instanceof Date ? bound.toISOString() : (bound ?? null));
  return { min: plain(rows[0]?.min), max: plain(rows[0]?.max) };
}

/** The first value of a sort, read from its index. */
function boundOf(source: ListSource, sort: Sort): RawBuilder<unknown> {
  const [segment] = segmentsOf(sort);
  return sql`(
    select ${sql.raw(sort.column.sql)} from ${sql.raw(source.from)}
    where r.organization_id = current_organization() and ${segment?.condition ?? sql`false`}
    order by ${segment?.order ?? sql`r.id`} limit 1)`;
}
