import {
  type Entity,
  type Field,
  type Fields,
  listFieldsOf,
  type ListFieldsOf,
  listTextMax,
} from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { isUpTo } from './filter.ts';
import { shortenedText } from './long-texts.ts';
import type { ListColumn, ListSource } from './source.ts';

/** Types of columns by the types of their fields. */
export const columnTypes = {
  text: 'text',
  prose: 'text',
  choice: 'text',
  number: 'numeric',
  integer: 'integer',
  scale: 'integer',
  code: 'integer',
  flag: 'boolean',
  day: 'date',
  instant: 'timestamptz',
  tags: 'text[]',
  id: 'uuid',
} as const satisfies Record<Exclude<Field['type'], 'relations'>, ListColumn['type']>;

/** Each band ends where the one above it begins; the lowest has no lower bound. */
const bandsOf = (bands: readonly { value: string; from: number }[]): NonNullable<ListColumn['bands']> =>
  bands.map(({ value, from }, n) => {
    const above = bands[n - 1]?.from;
    const lowest = n === bands.length - 1;
    return { value, ...(lowest ? {} : { from }), ...(above === undefined ? {} : { below: above }) };
  });

function columnOf(field: Field): ListColumn {
  if (field.column === null || field.type === 'relations') throw new Error(`${field.label} has no column`);
  return {
    sql: `r.${field.column}`,
    type: columnTypes[field.type],
    ...(field.notNull && { required: true as const }),
    ...(field.type === 'number' && field.bands && { bands: bandsOf(field.bands) }),
  };
}

/** Names of fields that have no column in the entity's table. */
type DerivedOf<F extends Fields> = {
  [K in keyof ListFieldsOf<F>]: F[K] extends { column: null } ? K : never;
}[keyof ListFieldsOf<F>];

type Special<F extends Fields> = Omit<ListSource<ListFieldsOf<F>>, 'fields' | 'columns' | 'rowColumns'> & {
  /** SQL of the fields that have no column in the table. */
  columns: Readonly<Record<DerivedOf<F>, ListColumn>>;
  /** Columns of a row beyond those of the entity's table. */
  rowColumns?: readonly string[];
  /** SQL conditions of `filterValues`, and of other values that are conditions. */
  conditions?: Readonly<Partial<Record<keyof ListFieldsOf<F>, Readonly<Record<string, string>>>>>;
  /** Columns with `isCompared`. */
  compared?: readonly (keyof ListFieldsOf<F>)[];
  /** Columns with `isSparse`. */
  sparse?: readonly (keyof ListFieldsOf<F>)[];
  /** SQL of the labels of identifiers. */
  labels?: Readonly<Partial<Record<keyof ListFieldsOf<F>, NonNullable<ListColumn['label']>>>>;
};

/** The list of an entity: its columns come from the field table; the caller adds derived columns and filters. */
export function entitySource<F extends Fields>(
  entity: Entity & { fields: F },
  { columns, rowColumns = [], conditions, labels, compared = [], sparse = [], ...source }: Special<F>,
): ListSource<ListFieldsOf<F>> {
  const fields = listFieldsOf(entity.fields);
  const derived: Readonly<Record<string, ListColumn>> = columns;
  const conditionsOf: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> =
    conditions ?? {};
  const labelsOf: Readonly<Record<string, ListColumn['label']>> = labels ?? {};
  const isCompared = new Set<PropertyKey>(compared);
  const isSparse = new Set<PropertyKey>(sparse);
  const all = Object.keys(fields).map((name) => {
    const column = derived[name] ?? columnOf(entity.fields[name] as Field);
    return [
      name,
      {
        ...column,
        ...(conditionsOf[name] && { conditions: conditionsOf[name] }),
        ...(labelsOf[name] && { label: labelsOf[name] }),
        ...(isCompared.has(name) && { isCompared: true as const }),
        ...(isSparse.has(name) && { isSparse: true as const }),
      },
    ];
  });
  return {
    ...source,
    fields,
    columns: Object.fromEntries(all) as ListSource<ListFieldsOf<F>>['columns'],
    rowColumns: columnsOfRow(entity, rowColumns),
  };
}

/** The filters `<name>Min` and `<name>Max` of a time that is filtered and not shown. */
export const timeRange = (name: string, column: string): ListSource['extra'] => ({
  [`${name}Min`]: (from) => sql`${sql.raw(column)} >= ${from}::timestamptz`,
  [`${name}Max`]: (to) => isUpTo({ sql: column, type: 'timestamptz' }, to),
});

const listed = (entity: Entity) =>
  Object.values(entity.fields).flatMap(({ list, column, type }) =>
    list && column !== null ? [{ column, type }] : [],
  );

/** Columns of the rows that a list reads, filters and sorts: those of details are not read. */
export const listColumns = (entity: Entity): string =>
  ['organization_id', 'id', 'version', ...listed(entity).map(({ column }) => column)].join(', ');

/** SQL of the columns of a row: of a text of several lines, its beginning. */
function columnsOfRow(entity: Entity, more: readonly string[]): RawBuilder<unknown> {
  const whole = ['id', 'version', ...more].map((column) => sql.ref(`r.${column}`));
  const own = listed(entity).map(({ column, type }) => {
    const value = sql.ref(`r.${column}`);
    return type === 'prose' ? sql`${shortenedText(value, listTextMax)} as ${sql.ref(column)}` : value;
  });
  return sql.join([...whole, ...own]);
}

/** SQL condition: the record is a subject of this alert. */
export const reportedByAlert = (alertId: string): RawBuilder<boolean> =>
  sql`r.id in (select subject_id from alert_finding where organization_id = current_organization() and alert_id = ${alertId}::uuid)`;
