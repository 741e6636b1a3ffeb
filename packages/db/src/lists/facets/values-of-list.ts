import { mostCounted, notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../../with-organization.ts';
import { type Bound, boundOf, type CountedField, type FacetValue, mostValues, named } from './facet.ts';
import { ofOrganization } from '../filter.ts';
import { type Segment, segmentsOf, type Sort, sortValue } from '../sort.ts';
import { type ListColumn, type ListSource, tableColumn } from '../source.ts';

/**
 * Values of all rows of a list, those that no filter keeps included, with the count 0, by the name of the field. Each is read by one
 * step in the index of the sort, so that the cost depends on the number of values alone; with a search at most
 * `mostCounted` values are searched.
 */
export async function valuesOfList(
  trx: OrganizationTransaction,
  source: ListSource,
  { fields, search }: { fields: readonly CountedField[]; search: string },
): Promise<Map<string, FacetValue[]>> {
  const branches = fields.flatMap((field) => {
    const { name, column } = field;
    const known = valuesOf(source, field, search === '' ? mostValues + 1 : mostCounted);
    if (known === undefined) return [];
    const label = column.label ? sql`known.label` : sql`null::text`;
    const empty = column.required ? sql`` : emptyValue(column);
    return [
      sql`(
        select ${name}::text as name, known.value, ${label} as label from (${known}${empty}) known
        ${named(column, search)} order by value limit ${mostValues + 1})`,
    ];
  });
  const found = new Map<string, FacetValue[]>(fields.map(({ name }) => [name, []]));
  if (branches.length === 0) return found;
  const { rows } = await sql<{ name: string; value: string; label: string | null }>`
    ${sql.join(branches, sql` union all `)}`.execute(trx);
  for (const { name, value, label } of rows)
    found.get(name)?.push({ value, count: 0, ...(label !== null && { label }) });
  return found;
}

/** The query of a field's values; undefined when no index holds them. */
function valuesOf(source: ListSource, field: CountedField, most: number): RawBuilder<unknown> | undefined {
  const declared = declaredOf(source, field);
  if (declared !== undefined) return sql`select unnest(${declared}::text[]) as value`;
  if (!areValuesKnown(source, field)) return undefined;
  const { column } = field;
  const [segment] = segmentsOf({ column, descending: true });
  return listsOf(source, column, most) ?? (segment && steps(source, column, { segment, most }));
}

/**
 * All values that there can be: of those that are computed from numbers, whose comparisons are not leakproof, and of a list
 * without indexes to sort by.
 */
function declaredOf(
  { fields, counter }: ListSource,
  { name, column }: CountedField,
): readonly string[] | undefined {
  if (column.bands) return column.bands.map(({ value }) => value);
  return tableColumn(column) === undefined || counter === undefined ? fields[name]?.values : undefined;
}

/** Whether all values of a field can be listed without reading the rows. Every column of a counted list has an index. */
export const areValuesKnown = (source: ListSource, field: CountedField): boolean =>
  source.counter !== undefined || declaredOf(source, field) !== undefined;

/** The same of its least and its greatest value. */
export const isRangeKnown = ({ counter, newestBy, scope }: ListSource, { column }: CountedField): boolean =>
  counter !== undefined || (scope === undefined && column.sql === newestBy);

function steps(
  source: ListSource,
  column: ListColumn,
  { segment, most }: { segment: Segment; most: number },
): RawBuilder<unknown> {
  const from = sql.raw(source.from);
  const value = sortValue(column);
  const rows = sql`${ofOrganization} and ${segment.condition}`;
  const label =
    column.label &&
    sql`, (select ${sql.raw(column.label.sql)} from ${from} where ${rows} and ${value} = found limit 1) as label`;
  const names = column.type === 'text[]' ? sql`unnest(found)` : sql`found::text`;
  return sql`
    with recursive step (found) as (
      (select ${value} from ${from} where ${rows} order by ${segment.order} limit 1)
      union all
      select (select ${value} from ${from} where ${rows} and ${value} < found order by ${segment.order} limit 1)
      from step where found is not null
    )
    select distinct ${names} as value ${label ?? sql``}
    from (select found from step where found is not null limit ${most}) step`;
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

/** The least and the greatest value of all rows of a list, by the name of the field, read from the indexes of the sorts. */
export async function boundsOfList(
  trx: OrganizationTransaction,
  source: ListSource,
  fields: readonly CountedField[],
): Promise<Map<string, { min: Bound; max: Bound }>> {
  if (fields.length === 0) return new Map();
  const bounds = fields.map(
    ({ name, column }) => sql`${name}::text, jsonb_build_object(
      'min', ${firstOf(source, { column, descending: false })}, 'max', ${firstOf(source, { column, descending: true })})`,
  );
  const { rows } = await sql<{ found: Record<string, { min: Bound; max: Bound }> }>`
    select jsonb_build_object(${sql.join(bounds)}) as found`.execute(trx);
  return new Map(
    fields.map((field) => {
      const { min = null, max = null } = rows[0]?.found[field.name] ?? {};
      return [field.name, { min: boundOf(field, min), max: boundOf(field, max) }];
    }),
  );
}

/** The first value of a sort. */
function firstOf(source: ListSource, sort: Sort): RawBuilder<unknown> {
  const [segment] = segmentsOf(sort);
  return sql`(
    select ${sql.raw(sort.column.sql)} from ${sql.raw(source.from)}
    where ${ofOrganization} and ${segment?.condition ?? sql`false`} order by ${segment?.order ?? sql`r.id`} limit 1)`;
}
