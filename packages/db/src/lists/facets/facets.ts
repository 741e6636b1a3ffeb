import { type Facets, mostCounted, notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { readingInOrder } from '../../query-plans.ts';
import type { OrganizationTransaction } from '../../with-organization.ts';
import { countValues } from './counted-values.ts';
import { type CountedField, type Facet, type FacetValue, mostValues } from './facet.ts';
import { filtersOf, isUnfiltered } from '../conditions.ts';
import { inOrganization } from '../filter.ts';
import { firstRows, isFoundSoon, type Narrowed, narrow, rowsTested, type Seen } from '../narrow.ts';
import { type FilterInput, type ListSource, newestFirst } from '../source.ts';
import { totalOf } from '../total.ts';
import { areValuesKnown, boundsOfList, isRangeKnown, valuesOfList } from './values-of-list.ts';

type FacetQuery = FilterInput & { field?: string[] | undefined; facetSearch?: string | undefined };

/**
 * Distinct values and counts of each of these fields, each under the filters of all the others (contract, HTTP). Of a list
 * that the overview counts or that has an order of its newest rows, when more than `mostCounted` rows match, the newest
 * `rowsTested` of them are counted, so that the cost does not grow with it. The rows of all fields without a filter are the
 * same, so they are read once.
 */
export async function facetsOf(
  trx: OrganizationTransaction,
  source: ListSource,
  query: FacetQuery,
): Promise<Facets> {
  const fields = fieldsOf(source, query);
  const seen: Seen = {};
  const found = new Map<string, Facet>();
  for (const group of bySameRows(source, query, fields))
    for (const [name, facet] of await facetsOfGroup(trx, source, { ...group, query, seen }))
      found.set(name, facet);
  const facets: Facets['facets'] = {};
  for (const { name } of fields) {
    const facet = found.get(name);
    if (facet !== undefined) facets[name] = facet;
  }
  return { facets };
}

/** The fields of the request that have facets. */
function fieldsOf(source: ListSource, { field = Object.keys(source.fields) }: FacetQuery): CountedField[] {
  return [...new Set(field)].flatMap((name) => {
    const { [name]: column } = source.columns;
    const kind = source.fields[name]?.kind;
    if (column === undefined || kind === undefined || kind === 'text') return [];
    const isRanged = kind === 'number' || kind === 'day' || kind === 'time';
    return [{ name, column, isRanged, hasValues: !isRanged || column.bands !== undefined }];
  });
}

/** Fields that are counted over the same rows. */
interface Group {
  fields: CountedField[];
  /** The field whose filter is left out. */
  except?: string;
}

function bySameRows(source: ListSource, query: FilterInput, fields: CountedField[]): Group[] {
  const filters = filtersOf(source, query);
  const filtered = fields.filter(({ name }) => filters.has(name));
  const others = fields.filter((field) => !filtered.includes(field));
  const groups: Group[] = filtered.map((field) => ({ fields: [field], except: field.name }));
  return others.length === 0 ? groups : [...groups, { fields: others }];
}

async function facetsOfGroup(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, seen, fields, except }: Group & { query: FacetQuery; seen: Seen },
): Promise<Map<string, Facet>> {
  const narrowed = await narrowedFor(trx, source, { query, except, seen });
  const isLimited = source.counter !== undefined || source.newestBy !== undefined;
  const counted = isLimited ? await totalOf(trx, source, { query, narrowed, except }) : undefined;
  const isCapped = (counted?.total ?? 0) > mostCounted || counted?.totalIsCapped === true;
  const { where } = narrowed;
  const search = query.facetSearch?.trim() ?? '';
  if (!isCapped) return countValues(trx, { rows: all(source, where), fields, search, hasBounds: true });
  return readingInOrder(trx, async () => {
    const isMatch = isUnfiltered(source, query, except) ? undefined : (narrowed.isMatch ?? where);
    const rows =
      source.newestBy === undefined
        ? newest(source, isMatch)
        : newestMatches(source, { isMatch, most: search === '' ? rowsTested : rowsSearched });
    const facets = await countValues(trx, { rows, fields, search, hasBounds: false });
    await addValuesOfList(trx, source, { facets, fields, search });
    return facets;
  });
}

/** Adds the values, with the count 0, and the ranges of the rows that were not counted. */
async function addValuesOfList(
  trx: OrganizationTransaction,
  source: ListSource,
  { facets, fields, search }: { facets: Map<string, Facet>; fields: CountedField[]; search: string },
): Promise<void> {
  const incomplete = fields.filter(({ name, hasValues }) => hasValues && facets.get(name)?.more === false);
  const known = await valuesOfList(trx, source, { fields: incomplete, search });
  const bounds = await boundsOfList(
    trx,
    source,
    fields.filter((field) => field.isRanged && isRangeKnown(source, field)),
  );
  for (const field of fields) {
    const { name } = field;
    const facet = facets.get(name);
    if (facet === undefined) continue;
    const shown = new Set(facet.values.map(({ value }) => value));
    const older = (known.get(name) ?? emptyOf(field)).filter(({ value }) => !shown.has(value));
    const values = [...facet.values, ...older];
    const isIncomplete = field.hasValues && search === '' && !areValuesKnown(source, field);
    facets.set(name, {
      ...facet,
      values: values.slice(0, mostValues),
      more: facet.more || values.length > mostValues || isIncomplete,
      ...bounds.get(name),
      isCapped: true,
    });
  }
}

/** The value of rows without a number or time, which may be among those that were not counted. */
const emptyOf = ({ hasValues, column }: CountedField): FacetValue[] =>
  hasValues || column.required ? [] : [{ value: notAvailable, count: 0 }];

/** Matches among the newest rows from which on rows are tested one by one. */
const manyMatches = 51;

/** How the rows are found that fields are counted under: as in the list. */
async function narrowedFor(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, except, seen }: { query: FilterInput; except: string | undefined; seen: Seen },
): Promise<Narrowed> {
  const narrowed = await narrow(trx, source, { query, except, seen });
  const { isMatch } = narrowed;
  const first = { condition: sql<boolean>`true`, order: newestFirst(source), least: manyMatches };
  if (isMatch === undefined || !(await isFoundSoon(trx, source, { isMatch, ...first }))) return narrowed;
  return { ...narrowed, where: inOrganization([isMatch]) };
}

/** Newest rows in which `facetSearch` finds values that no index holds. */
const rowsSearched = 100_000;

/** The newest rows that match, of a list that has an order of them, with what each shows looked up for these rows alone. */
const newestMatches = (
  source: ListSource,
  { isMatch, most }: { isMatch: RawBuilder<boolean> | undefined; most: number },
): RawBuilder<unknown> =>
  sql`select r.* from ${firstRows(
    { from: source.shown ?? source.from },
    { condition: isMatch ?? sql<boolean>`true`, order: newestFirst(source), most },
  )}`;

const all = (source: ListSource, where: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`select r.* from ${sql.raw(source.from)} where ${where}`;

/** The newest rows; with a test those that match, of as many as are tested for the total. */
const newest = (source: ListSource, isMatch: RawBuilder<boolean> | undefined): RawBuilder<unknown> => {
  const most = isMatch === undefined ? rowsTested : mostCounted;
  const first = firstRows(source, { condition: sql<boolean>`true`, order: newestFirst(source), most });
  if (isMatch === undefined) return sql`select r.* from ${first}`;
  return sql`select r.* from ${first} where ${isMatch} order by r.id desc limit ${sql.lit(rowsTested)}`;
};
