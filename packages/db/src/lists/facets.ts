import { type Facets, notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { isEmpty, whereOf } from './filter.ts';
import { contains, type FilterInput, type ListColumn, type ListSource } from './source.ts';

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

/** Distinct values and counts of each of these fields, each under the filters of all the others (contract, HTTP). */
export async function facetsOf(
  trx: OrganizationTransaction,
  source: ListSource,
  query: FilterInput & { field?: string[] | undefined; facetSearch?: string | undefined },
): Promise<Facets> {
  const names =
    query.field ?? Object.keys(source.fields).filter((name) => source.fields[name]?.kind !== 'text');
  const facets: Record<string, Facet> = {};
  for (const name of new Set(names)) {
    const field = source.fields[name];
    const column = source.columns[name];
    if (!field || !column || field.kind === 'text') continue;
    const where = whereOf(source, query, name);
    const ranged = field.kind === 'number' || field.kind === 'day' || field.kind === 'time';
    facets[name] = {
      ...(ranged && !column.bands
        ? await emptiness(trx, source, { column, where })
        : await valuesOf(trx, source, { column, where, search: query.facetSearch })),
      ...(ranged ? await rangeOf(trx, source, { column, where }) : {}),
    };
  }
  return { facets };
}

interface FacetQuery {
  column: ListColumn;
  where: RawBuilder<boolean>;
  search?: string | undefined;
}

async function valuesOf(trx: OrganizationTransaction, source: ListSource, facet: FacetQuery): Promise<Facet> {
  const wanted = facet.search?.trim() ?? '';
  const like = contains(wanted);
  const { label } = facet.column;
  const searched = label === undefined ? sql`value` : sql`concat_ws(' ', value, label)`;
  const named = wanted === '' ? sql`` : sql`where ${searched} ilike ${like}`;
  const { rows } = await sql<Facet['values'][number]>`
    select * from (${label === undefined ? counted(source, facet) : countedByLabel(source, facet, label)}) counted
    ${named} order by count desc, value limit ${mostValues + 1}`.execute(trx);
  return { values: rows.slice(0, mostValues), more: rows.length > mostValues };
}

function counted(source: ListSource, { column, where }: FacetQuery): RawBuilder<unknown> {
  const { value, join } = valueOf(column);
  return sql`
    select coalesce(nullif(${value}, ''), ${notAvailable}) as value, count(*)::int as count
    from ${sql.raw(source.from)} ${join} where ${where} group by 1`;
}

/** Groups by value and label first, so that only the few pairs are sorted by time. */
function countedByLabel(
  source: ListSource,
  { column, where }: FacetQuery,
  label: NonNullable<ListColumn['label']>,
): RawBuilder<unknown> {
  const { value } = valueOf(column);
  return sql`
    select coalesce(value, ${notAvailable}) as value, sum(count)::int as count,
      case when value is null then ${notAvailable} else (array_agg(label order by newest desc))[1] end as label
    from (
      select ${value} as value, ${sql.raw(label.sql)} as label, count(*) as count, max(${sql.raw(label.at)}) as newest
      from ${sql.raw(source.from)} where ${where} group by 1, 2
    ) labelled group by labelled.value`;
}

/** Numbers and times have too many values to list: counts only the rows without one. */
async function emptiness(
  trx: OrganizationTransaction,
  source: ListSource,
  { column, where }: FacetQuery,
): Promise<Facet> {
  if (column.required) return { values: [], more: false };
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.raw(source.from)} where ${where} and ${isEmpty(column)}`.execute(
    trx,
  );
  const empty = rows[0]?.count ?? 0;
  return { values: empty > 0 ? [{ value: notAvailable, count: empty }] : [], more: false };
}

/** A day is read as text. */
type Bound = number | string | Date | null;

async function rangeOf(
  trx: OrganizationTransaction,
  source: ListSource,
  { column, where }: FacetQuery,
): Promise<Pick<Facet, 'min' | 'max'>> {
  const value = sql.raw(column.sql);
  const { rows } = await sql<{ min: Bound; max: Bound }>`
    select min(${value}) as min, max(${value}) as max from ${sql.raw(source.from)} where ${where}`.execute(
    trx,
  );
  const plain = (bound: Bound | undefined) => (bound instanceof Date ? bound.toISOString() : (bound ?? null));
  return { min: plain(rows[0]?.min), max: plain(rows[0]?.max) };
}
