import type { ListField, ListFields } from '@riskboard/contract';
import type { ReactNode } from 'react';
import type { Words } from '../../lib/list/list-filter.ts';
import type { ArrangedColumn } from '../../lib/list/list-layout.ts';
import type { ListState } from '../../lib/list/list-state.ts';
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
 *       words: { isActive: (value) => (value === 'true' ? 'Active' : 'Inactive') },
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
  /** Names the table. */
  label: string;
  /** What a row is called, and what rows are, as in '12 threats'; absent: row and rows. */
  nouns?: { one: string; many: string };
  row: { id: (row: Row) => string; name: (row: Row) => string };
  columns: readonly ViewColumn<F, Row>[];
  /** Fields offered as filters, in this order; absent: every one that can be. */
  filters?: readonly (keyof F & string)[];
  /** Values of a field as people read them; absent or undefined: as the contract calls them, else as they are. */
  words?: { readonly [K in keyof F]?: (value: string) => string | undefined };
  /** False: views of it cannot be saved, as its route belongs to one record. */
  saved?: false;
  texts: ListTexts;
}

/** The spec's words. */
export interface ListTexts {
  /** Names the search; absent: the list has none. */
  search?: string;
  empty: string;
  /** Where nothing is left under a filter; absent: as `empty`. */
  narrowed?: string;
  failure: string;
}

interface ColumnLook<Row> {
  cell: (row: Row) => ReactNode;
  /** Not shown until a person chooses it. */
  hidden?: boolean;
  /** Screens from this width on show the column; absent: every screen. */
  from?: ColumnMeta['from'];
  /** Absent: numbers stand right. */
  align?: ColumnMeta['align'];
  /** Fields that the cell tells besides its own: an export with this column has them too. */
  tells?: readonly string[];
}

interface FieldColumn<F extends ListFields> {
  field: keyof F & string;
  /** Names its row: stands first, always; 'inPlace': where it is declared, as the spec's order of columns wants it. */
  rowHeader?: boolean | 'inPlace';
  /** Where the spec's word differs from the field's. */
  label?: string;
}

interface FreeColumn {
  id: string;
  label: string;
  /** The label is read, not seen. */
  hideLabel?: boolean;
  /** Names its row, where that is no field: stands first, always. */
  rowHeader?: boolean;
  /** Stands last, always: buttons of the row. */
  last?: boolean;
}

/** A column of a list: one of its fields, or something of the page's own, such as the row menu. */
export type ViewColumn<F extends ListFields, Row> = ColumnLook<Row> & (FieldColumn<F> | FreeColumn);

/** A column as the table needs it. */
export interface TableColumn<Row extends object> extends ArrangedColumn {
  readonly label: string;
  /** Fields that the column shows: what an export has of it. */
  readonly shows: readonly string[];
  readonly column: ListColumn<Row>;
}

/** A declared list, as `ListPage` takes it. */
export interface ListView<Row extends object, State extends ListState, R> extends ListSource<Row, State, R> {
  readonly label: string;
  readonly nouns: { one: string; many: string };
  readonly row: { id: (row: Row) => string; name: (row: Row) => string };
  readonly columns: readonly TableColumn<Row>[];
  /** Fields offered as filters. */
  readonly filters: readonly string[];
  readonly words: Words;
  readonly saved: boolean;
  readonly texts: ListTexts;
}

/** Whether a filter of the field can be offered: its values must be known or be asked for. */
const canFilter = (field: ListField, facets: boolean) =>
  field.kind !== 'text' && (facets || field.kind !== 'choice' || field.values !== undefined);

function fieldColumn<F extends ListFields, Row extends object>(
  fields: F,
  column: ColumnLook<Row> & FieldColumn<F>,
): TableColumn<Row> {
  const { field: id, rowHeader, cell, hidden, from, tells = [] } = column;
  const field = fields[id];
  const label = column.label ?? field?.label ?? id;
  const align = column.align ?? (field?.kind === 'number' ? 'right' : 'left');
  const sortable = field?.sortable !== false;
  const meta: ColumnMeta = { label, from, rowHeader: Boolean(rowHeader), align, sortable };
  const fixed = rowHeader === true ? 'first' : undefined;
  const required = meta.rowHeader;
  const shows = [id, ...tells];
  return {
    id,
    label,
    hidden,
    fixed,
    required,
    shows,
    column: { id, meta, cell: ({ row }) => cell(row.original) },
  };
}

function freeColumn<Row extends object>(column: ColumnLook<Row> & FreeColumn): TableColumn<Row> {
  const { id, label, hideLabel, rowHeader, last, cell, hidden, from, tells: shows = [] } = column;
  const align = column.align ?? (last === true ? 'right' : 'left');
  const meta: ColumnMeta = { label, hideLabel, from, rowHeader, last, align };
  const end = last === true ? 'last' : undefined;
  const fixed = rowHeader === true ? 'first' : end;
  return { id, label, hidden, fixed, shows, column: { id, meta, cell: ({ row }) => cell(row.original) } };
}

/** Declares how a list looks; see `ListViewSpec`. */
export function defineListView<Row extends object, State extends ListState, R, F extends ListFields>(
  source: ListSource<Row, State, R, F>,
  spec: ListViewSpec<F, Row>,
): ListView<Row, State, R> {
  const { fields, calls } = source;
  const { nouns = { one: 'row', many: 'rows' }, saved = true, columns, words, ...look } = spec;
  const offered = spec.filters ?? Object.keys(fields);
  return {
    ...source,
    ...look,
    nouns,
    saved,
    words: (field, value) => words?.[field]?.(value) ?? fields[field]?.labels?.[value] ?? value,
    columns: columns.map((column) => ('field' in column ? fieldColumn(fields, column) : freeColumn(column))),
    filters: offered.filter((name) => {
      const field = fields[name];
      return field !== undefined && canFilter(field, calls.facets !== undefined);
    }),
  };
}
