import {
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  tableFeatures,
  type ColumnDef,
  type RowData,
  type RowSelectionState,
} from '@tanstack/react-table';

export interface ColumnMeta {
  /** Words in the header. */
  label: string;
  /** The label is read, not seen (columns of buttons). */
  hideLabel?: boolean;
  /** Numbers stand right, in tabular figures. */
  align?: 'left' | 'right';
  /** The API sorts by this column's id. */
  sortable?: boolean;
  /** Screens from this width on show the column; absent: every screen. */
  from?: 'sm' | 'md' | 'lg' | 'xl';
  /** The column names its row: it is the row's header and takes the room that is left. */
  rowHeader?: boolean;
  /** Buttons of the row: they stay at the edge in sight while the others scroll. */
  last?: boolean;
}

/** What lists do here; sorting, filtering and paging are the server's. */
export const listFeatures = tableFeatures({ rowSelectionFeature, columnMeta: metaHelper<ColumnMeta>() });
export type ListFeatures = typeof listFeatures;

// Table's own signature: cell values differ from column to column, and ColumnDef is invariant in them.
// oxlint-disable-next-line typescript/no-explicit-any
export type ListColumn<Row extends RowData> = ColumnDef<ListFeatures, Row, any>;

/** Rows that are selected, by id. */
export type ListSelection = RowSelectionState;

/**
 * Makes the columns of a list of `Row`:
 * `column.display({ id: 'size', meta: { label: 'Size', align: 'right', sortable: true }, cell: ({ row }) => … })`.
 */
export const listColumns = <Row extends RowData>() => createColumnHelper<ListFeatures, Row>();
