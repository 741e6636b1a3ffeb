import type { ListField, ListFields } from '@riskboard/contract';
import type { ReactNode } from 'react';
import type { ValueLabel } from '../../lib/list/list-filter.ts';
import type { ArrangedColumn } from '../../lib/list/list-layout.ts';
import type { ListState } from '../../lib/list/list-state.ts';
import { fittingSteps } from '../table/column-widths.ts';
import type { ColumnMeta, ListColumn } from '../table/list-columns.ts';
import type { ListSource } from './define-list-source.ts';

/**
 * The one kit of lists. A list is declared once: where it comes from (`defineListSource`), and how it looks:
 *
 *     export const threatsView = defineListView(threatsSource, {
 *       label: 'Threats', nouns: { one: 'threat', many: 'threats' },
 *       row: { id: (threat) => threat._id, name: (threat) => threat.name },
 *       columns: [
 *         { field: 'name', rowHeader: true, cell: (threat) => <Link …>{threat.name}</Link> },
 *         { field: 'riskLevel', cell: (threat) => <RiskBadge … /> },
 *         { field: 'updatedAt', hidden: true, cell: (threat) => <Time … /> },
 *         { id: 'actions', label: 'Actions', hideLabel: true, last: true, cell: (threat) => <ThreatMenu … /> },
 *       ],
 *       labels: { isActive: (value) => (value === 'true' ? 'Active' : 'Inactive') },
 *       texts: { search: 'Search threats', empty: 'No threats found.', failure: 'Failed to load threats.' },
 *     });
 *
 * The page asks and shows; search, filters, sorting, pages, views, columns, selection, keys and export are `ListPage`:
 *
 *     const query = useQuery(threatsSource.query(search));
 *     <ListPage view={threatsView} query={query} search={search}
 *       onSearch={(search, how) => void navigate({ search, ...how })} … />
 */
export interface ListViewSpec<F extends ListFields, Row extends object> {
  /** Name of the table. */
  label: string;
  /** Nouns for the rows, as in '12 threats'; absent: row and rows. */
  nouns?: { one: string; many: string };
  row: { id: (row: Row) => string; name: (row: Row) => string };
  columns: readonly ViewColumn<F, Row>[];
  /** Fields offered as filters, in this order; absent: every possible one. */
  filters?: readonly (keyof F & string)[];
  /** Labels of a field's values; absent or undefined: the contract's labels, or else the values. */
  labels?: { readonly [K in keyof F]?: (value: string) => string | undefined };
  /** False: views cannot be saved, because the route belongs to one record. */
  saved?: false;
  texts: ListTexts;
}

/** Texts of the spec. */
export interface ListTexts {
  /** Label of the search field; absent: no search. */
  search?: string;
  empty: string;
  /** Shown when nothing matches a filter; absent: `empty`. */
  narrowed?: string;
  failure: string;
}

interface ColumnLook<Row> {
  cell: (row: Row) => ReactNode;
  /** Hidden by default. */
  hidden?: boolean;
  /** Minimum width of the list that shows the column, a wider one where it has no room; absent: every width. */
  from?: ColumnMeta['from'];
  /** Absent: numbers are right-aligned. */
  align?: ColumnMeta['align'];
  /** Pixels where the table has room; absent: by the field's kind. */
  width?: number;
  /** Pixels for the usual content, which the column keeps where the table has little room; absent: `width`. */
  narrowWidth?: number;
  /** Takes the room that the other columns leave; absent: the row header does. */
  grow?: boolean;
  /** Additional fields that the cell shows; an export with this column includes them. */
  alsoShows?: readonly string[];
  /** Key that opens the editor of the cell in the current row. */
  edit?: string | undefined;
}

interface FieldColumn<F extends ListFields> {
  field: keyof F & string;
  /**
   * Row header: always shown, first; 'asDeclared': always shown at its declared position, where the spec's column order
   * requires it.
   */
  rowHeader?: boolean | 'asDeclared';
  /** Label when the spec's differs from the field's. */
  label?: string;
}

interface FreeColumn {
  id: string;
  label: string;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
  /** Row header without a field: always shown, first. */
  rowHeader?: boolean;
  /** Always shown, last: buttons of the row. */
  last?: boolean;
}

/** A column of a list: a field, or page-specific content such as the row menu. */
export type ViewColumn<F extends ListFields, Row> = ColumnLook<Row> & (FieldColumn<F> | FreeColumn);

/** A column as the table uses it. */
export interface TableColumn<Row extends object> extends ArrangedColumn {
  readonly label: string;
  /** Fields of the column, for exports. */
  readonly shows: readonly string[];
  /** Key that opens the editor of the cell in the current row. */
  readonly edit?: string | undefined;
  readonly column: ListColumn<Row>;
}

/** A declared list for `ListPage`. */
export interface ListView<Row extends object, State extends ListState, R> extends ListSource<Row, State, R> {
  readonly label: string;
  readonly nouns: { one: string; many: string };
  readonly row: { id: (row: Row) => string; name: (row: Row) => string };
  readonly columns: readonly TableColumn<Row>[];
  /** Fields offered as filters. */
  readonly filters: readonly string[];
  readonly labelOf: ValueLabel;
  readonly saved: boolean;
  readonly texts: ListTexts;
}

/** Whether the field can be filtered: its values must be known or available as facets. */
const canFilter = (field: ListField, facets: boolean) =>
  field.kind !== 'text' && (facets || field.kind !== 'choice' || field.values !== undefined);

/** Pixels of a column by the kind of its field: where the table has room, and what its values need. */
const kindWidths = {
  text: { width: 160, narrowWidth: 128 },
  choice: { width: 144, narrowWidth: 120 },
  number: { width: 96 },
  day: { width: 128, narrowWidth: 120 },
  time: { width: 128 },
} as const;

/** Numbers, levels and dates: the largest or newest are of most interest. */
const isOrdered = ({ kind, levels }: ListField): boolean =>
  kind === 'number' || kind === 'day' || kind === 'time' || levels === true;

function fieldColumn<F extends ListFields, Row extends object>(
  fields: F,
  column: ColumnLook<Row> & FieldColumn<F>,
): TableColumn<Row> {
  const { field: id, rowHeader, cell, hidden, from, grow, edit, alsoShows = [] } = column;
  const field = fields[id];
  const label = column.label ?? field?.label ?? id;
  const align = column.align ?? (field?.kind === 'number' ? 'right' : 'left');
  const sortable = field?.sortable !== false;
  const { width, narrowWidth } = column;
  const widths = width === undefined ? kindWidths[field?.kind ?? 'text'] : { width, narrowWidth };
  const meta: ColumnMeta = {
    label,
    from,
    rowHeader: Boolean(rowHeader),
    align,
    sortable,
    descendingFirst: field !== undefined && isOrdered(field),
    ...widths,
    grow,
  };
  const fixed = rowHeader === true ? 'first' : undefined;
  const required = meta.rowHeader;
  const shows = [id, ...alsoShows];
  return {
    id,
    label,
    hidden,
    fixed,
    required,
    shows,
    edit,
    column: { id, meta, cell: ({ row }) => cell(row.original) },
  };
}

function freeColumn<Row extends object>(column: ColumnLook<Row> & FreeColumn): TableColumn<Row> {
  const {
    id,
    label,
    hideLabel,
    rowHeader,
    last,
    cell,
    hidden,
    from,
    width,
    narrowWidth,
    grow,
    alsoShows: shows = [],
  } = column;
  const align = column.align ?? (last === true ? 'right' : 'left');
  const meta: ColumnMeta = { label, hideLabel, from, rowHeader, last, align, width, narrowWidth, grow };
  const end = last === true ? 'last' : undefined;
  const fixed = rowHeader === true ? 'first' : end;
  return { id, label, hidden, fixed, shows, column: { id, meta, cell: ({ row }) => cell(row.original) } };
}

/** The columns that are shown by default, each from the width of the list on that has room for it. */
function fitted<Row extends object>(columns: readonly TableColumn<Row>[]): TableColumn<Row>[] {
  const shown = columns.filter(({ hidden }) => hidden !== true);
  const steps = fittingSteps(shown.map(({ column }) => column.meta));
  const from = new Map(shown.map(({ id }, index) => [id, steps[index]]));
  return columns.map((one) => {
    const { meta } = one.column;
    if (meta === undefined || !from.has(one.id)) return one;
    return { ...one, column: { ...one.column, meta: { ...meta, from: from.get(one.id) } } };
  });
}

/** Declares the columns, filters and texts of a list; see `ListViewSpec`. */
export function defineListView<Row extends object, State extends ListState, R, F extends ListFields>(
  source: ListSource<Row, State, R, F>,
  spec: ListViewSpec<F, Row>,
): ListView<Row, State, R> {
  const { fields, calls } = source;
  const { nouns = { one: 'row', many: 'rows' }, saved = true, columns, labels, ...look } = spec;
  const offered = spec.filters ?? Object.keys(fields);
  const all = columns.map((column) => ('field' in column ? fieldColumn(fields, column) : freeColumn(column)));
  return {
    ...source,
    ...look,
    nouns,
    saved,
    labelOf: (field, value) => labels?.[field]?.(value) ?? fields[field]?.labels?.[value] ?? value,
    columns: fitted(all),
    filters: offered.filter((name) => {
      const field = fields[name];
      return field !== undefined && canFilter(field, calls.facets !== undefined);
    }),
  };
}
