import { notAvailable } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../../with-organization.ts';
import {
  type Bound,
  boundOf,
  type CountedField,
  type Facet,
  type FacetValue,
  mostValues,
  named,
} from './facet.ts';
import { isEmpty } from '../filter.ts';
import type { ListColumn } from '../source.ts';

interface Counted {
  /** The query of the rows that are counted. */
  rows: RawBuilder<unknown>;
  fields: readonly CountedField[];
  search: string;
  /** The least and the greatest value of these rows are wanted. */
  hasBounds: boolean;
}

/** Of numbers and times: the rows without a value, and the least and the greatest value where they are wanted. */
interface Range {
  empty: number;
  bounds: { min: Bound; max: Bound } | null;
}

interface CountedRow extends Omit<FacetValue, 'label'> {
  name: string;
  label: string | null;
  ranges: Record<string, Range> | null;
}

/** Values, counts and ranges of these fields, by name, from one reading of the rows. */
export async function countValues(
  trx: OrganizationTransaction,
  { rows: source, fields, search, hasBounds }: Counted,
): Promise<Map<string, Facet>> {
  const numbered = fields.map((field, number) => ({ ...field, columns: columnsOf(number) }));
  const picked = numbered.flatMap((field) => [
    ...(field.hasValues ? valueColumns(field) : []),
    ...(hasBounds && field.isRanged ? [boundColumn(field)] : []),
    ...(countsEmpty(field) ? [emptyColumn(field)] : []),
  ]);
  const ranged = numbered.filter((field) => countsEmpty(field) || (hasBounds && field.isRanged));
  const branches = [
    ...numbered.filter(({ hasValues }) => hasValues).map((field) => countsOf(field, search)),
    ...(ranged.length === 0 ? [] : [rangesOf(ranged, hasBounds)]),
  ];
  const read = sql<CountedRow>`
    with picked as (select ${sql.join(picked)} from (${source}) r)
    ${sql.join(branches, sql` union all `)}`;
  const rows = branches.length === 0 ? [] : (await read.execute(trx)).rows;
  const ranges = rows.find((row) => row.ranges !== null)?.ranges;
  const values = Map.groupBy(rows, ({ name }) => name);
  return new Map(
    fields.map((field) => [field.name, facetOf(field, values.get(field.name) ?? [], ranges?.[field.name])]),
  );
}

function facetOf(field: CountedField, rows: readonly CountedRow[], range: Range | undefined): Facet {
  const { min, max } = range?.bounds ?? {};
  const bounds = min !== undefined &&
    max !== undefined && { min: boundOf(field, min), max: boundOf(field, max) };
  if (field.hasValues) {
    const values = rows.map(({ value, count, label }) => ({
      value,
      count,
      ...(label !== null && { label }),
    }));
    return { values: values.slice(0, mostValues), more: values.length > mostValues, ...bounds };
  }
  const count = range?.empty ?? 0;
  return { values: count > 0 ? [{ value: notAvailable, count }] : [], more: false, ...bounds };
}

type Numbered = CountedField & {
  /** Names of its columns among the picked ones: value, label, time of the label, number or time, whether it is empty. */
  columns: Record<'value' | 'label' | 'at' | 'bound' | 'isEmpty', RawBuilder<unknown>>;
};

function columnsOf(number: number): Numbered['columns'] {
  const name = (text: string) => sql.ref(`${text}_${number}`);
  return {
    value: name('value'),
    label: name('label'),
    at: name('at'),
    bound: name('bound'),
    isEmpty: name('is_empty'),
  };
}

function valueColumns({ column, columns: { value, label, at } }: Numbered): RawBuilder<unknown>[] {
  const raw = sql.raw(column.sql);
  if (column.type === 'text[]') return [sql`${raw} as ${value}`];
  if (column.bands) return [sql`${bandOf(column, column.bands)} as ${value}`];
  const text = sql`${raw}::text as ${value}`;
  if (column.label === undefined) return [text];
  return [text, sql`${sql.raw(column.label.sql)} as ${label}`, sql`${sql.raw(column.label.at)} as ${at}`];
}

/** The name of the band of a number. */
function bandOf(column: ListColumn, bands: NonNullable<ListColumn['bands']>): RawBuilder<unknown> {
  const raw = sql.raw(column.sql);
  const cases = bands.map(({ value, from, below }) => {
    const low = from === undefined ? sql`true` : sql`${raw} >= ${from}`;
    const high = below === undefined ? sql`true` : sql`${raw} < ${below}`;
    return sql`when ${raw} is not null and ${low} and ${high} then ${value}`;
  });
  return sql`case ${sql.join(cases, sql` `)} end::text`;
}

/** Whether the rows without a value are counted: of numbers and times without listed values. */
const countsEmpty = ({ hasValues, column: { required } }: CountedField): boolean => !hasValues && !required;

const boundColumn = ({ column, columns }: Numbered): RawBuilder<unknown> =>
  sql`${sql.raw(column.sql)} as ${columns.bound}`;

const emptyColumn = ({ column, columns }: Numbered): RawBuilder<unknown> =>
  sql`${isEmpty(column)} as ${columns.isEmpty}`;

/** The most frequent values of a field. */
function countsOf(field: Numbered, search: string): RawBuilder<unknown> {
  const { name, column } = field;
  const label = column.label ? sql`counted.label` : sql`null::text`;
  return sql`(
    select ${name}::text as name, counted.value, counted.count, ${label} as label, null::jsonb as ranges
    from (${column.label ? countedByLabel(field) : counted(field)}) counted
    ${named(column, search)} order by count desc, value limit ${mostValues + 1})`;
}

/** Each row is counted under its value, or under each item of its list. */
function counted({ column, columns: { value } }: Numbered): RawBuilder<unknown> {
  const [item, join] =
    column.type === 'text[]'
      ? [sql`item.value`, sql`left join lateral unnest(${value}) item (value) on true`]
      : [value, sql``];
  return sql`
    select coalesce(nullif(${item}, ''), ${notAvailable}) as value, count(*)::int as count
    from picked ${join} group by 1`;
}

/** Groups by value and label first, so that only the few pairs are sorted by time. */
const countedByLabel = ({ columns: { value, label, at } }: Numbered): RawBuilder<unknown> => sql`
  select coalesce(value, ${notAvailable}) as value, sum(count)::int as count,
    case when value is null then ${notAvailable} else (array_agg(label order by newest desc))[1] end as label
  from (
    select ${value} as value, ${label} as label, count(*) as count, max(${at}) as newest from picked group by 1, 2
  ) labelled group by labelled.value`;

/** One row with the ranges of all these fields. */
function rangesOf(fields: readonly Numbered[], hasBounds: boolean): RawBuilder<unknown> {
  const ranges = fields.map((field) => {
    const { name, columns } = field;
    const empty = countsEmpty(field) ? sql`count(*) filter (where ${columns.isEmpty})` : sql`0`;
    const bounds = hasBounds
      ? sql`jsonb_build_object('min', min(${columns.bound}), 'max', max(${columns.bound}))`
      : sql`null`;
    return sql`${name}::text, jsonb_build_object('empty', ${empty}, 'bounds', ${bounds})`;
  });
  return sql`
    select null::text as name, null::text as value, null::int as count, null::text as label,
      jsonb_build_object(${sql.join(ranges)}) as ranges
    from picked`;
}
