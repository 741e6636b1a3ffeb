import {
  createColumnHelper,
  metaHelper,
  tableFeatures,
  type ColumnDef,
  type RowData,
} from '@tanstack/react-table';

export interface ColumnMeta {
  /** Label in the header. */
  label: string;
  /** The label is for screen readers only (columns of buttons). */
  hideLabel?: boolean;
  /** Numbers are right-aligned in tabular figures. */
  align?: 'left' | 'right';
  /** The API can sort by this column's id. */
  sortable?: boolean;
  /** Minimum width of the list that shows the column; absent: every width. */
  from?: 'sm' | 'md' | undefined;
  /** The first click on the header sorts descending: numbers and dates. */
  descendingFirst?: boolean;
  /** Pixels where the table has room; absent: an average column. */
  width?: number;
  /** Pixels for the usual content, which the column keeps where the table has little room; absent: `width`. */
  narrowWidth?: number | undefined;
  /** Takes the room that the other columns leave; absent: the row header does. */
  grow?: boolean;
  /** The row's header cell. */
  rowHeader?: boolean;
  /** Buttons of the row; they stay visible at the edge while the others scroll. */
  last?: boolean;
}

/** Table features in use; the server sorts, filters and pages. */
export const listFeatures = tableFeatures({ columnMeta: metaHelper<ColumnMeta>() });
export type ListFeatures = typeof listFeatures;

// Table's own signature: cell values differ from column to column, and ColumnDef is invariant in them.
// oxlint-disable-next-line typescript/no-explicit-any
export type ListColumn<Row extends RowData> = ColumnDef<ListFeatures, Row, any>;

/** Ids of the selected rows. */
export type ListSelection = Readonly<Record<string, boolean>>;

/**
 * Creates the columns of a list of `Row`: `column.display({ id: 'size', meta: { label: 'Size', align: 'right',
 * sortable: true }, cell: ({ row }) => … })`.
 */
export const listColumns = <Row extends RowData>() => createColumnHelper<ListFeatures, Row>();
