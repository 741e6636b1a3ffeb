import { useTable, type RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { Checkbox } from './checkbox.tsx';
import { ErrorState } from './error-state.tsx';
import { HeadCell } from './head-cell.tsx';
import { listFeatures, type ColumnMeta, type ListColumn, type ListSelection } from './list-columns.ts';
import { SkeletonRows } from './skeleton-rows.tsx';
import type { Sort } from './sort.ts';
import { Table } from './table.tsx';
import { cellStyle, headCellStyle } from './table-style.ts';

export interface DataTableProps<Row extends RowData> {
  /** Names the table. */
  label: string;
  /** Made with `listColumns<Row>()` once, outside the component. */
  columns: readonly ListColumn<Row>[];
  /** The page's rows; undefined while the first ones load. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Absent: rows cannot be selected. */
  selection?: {
    value: ListSelection;
    onChange: (value: ListSelection) => void;
    /** What a row is called in 'Select …'. */
    name: (row: Row) => string;
  };
  /** New rows are on their way; the old ones stand. */
  busy?: boolean;
  /** Why the rows could not be loaded; with the spec's words for it. */
  failure?: { title: string; error: unknown; onRetry: () => void } | undefined;
  /** Stands in the place of no rows: an `EmptyState`. */
  empty: ReactNode;
  /** Rows of the skeleton; the page size. */
  skeletonRows?: number;
}

const noRows: readonly never[] = [];
const noSelection: ListSelection = {};

/** A list from the server: sortable headers, row selection, and its loading, empty and error state. */
export function DataTable<Row extends RowData>({
  label,
  columns,
  rows,
  rowId,
  sort,
  onSort,
  selection,
  busy = false,
  failure,
  empty,
  skeletonRows = 10,
}: DataTableProps<Row>) {
  const table = useTable({
    features: listFeatures,
    columns,
    data: rows ?? noRows,
    getRowId: rowId,
    enableRowSelection: selection !== undefined,
    state: { rowSelection: selection?.value ?? noSelection },
    onRowSelectionChange: (update) =>
      selection?.onChange(typeof update === 'function' ? update(selection.value) : update),
  });
  const headers = table.getHeaderGroups().flatMap((group) => group.headers);
  const metas: Partial<ColumnMeta>[] = headers.map((header) => header.column.columnDef.meta ?? {});
  const body = table.getRowModel().rows;
  const all = table.getIsAllRowsSelected();
  const some = table.getIsSomeRowsSelected();

  if (failure !== undefined) return <ErrorState {...failure} />;
  if (rows?.length === 0) return empty;
  return (
    <Table label={label} busy={busy}>
      <thead>
        <tr>
          {selection !== undefined && (
            <th scope="col" className={headCellStyle()}>
              <Checkbox
                label="Select all rows on this page"
                hideLabel
                checked={some && !all ? 'mixed' : all}
                onChange={(checked) => table.toggleAllRowsSelected(checked)}
              />
            </th>
          )}
          {headers.map(({ id, column }) => (
            <HeadCell key={id} id={column.id} meta={column.columnDef.meta} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === undefined && (
          <SkeletonRows columns={selection === undefined ? metas : [{}, ...metas]} rows={skeletonRows} />
        )}
        {body.map((row) => (
          <tr
            key={row.id}
            aria-selected={selection === undefined ? undefined : row.getIsSelected()}
            className="hover:bg-hover aria-selected:bg-accent-soft"
          >
            {selection !== undefined && (
              <td className={cellStyle()}>
                <Checkbox
                  label={`Select ${selection.name(row.original)}`}
                  hideLabel
                  checked={row.getIsSelected()}
                  onChange={(checked, { shiftKey }) =>
                    row.getToggleSelectedHandler()({ target: { checked }, shiftKey })
                  }
                />
              </td>
            )}
            {row.getAllCells().map((cell) => {
              const { align, from, rowHeader: grow } = cell.column.columnDef.meta ?? {};
              const Cell = grow === true ? 'th' : 'td';
              return (
                <Cell
                  key={cell.id}
                  scope={grow === true ? 'row' : undefined}
                  className={cellStyle({ align, from, grow })}
                >
                  <table.FlexRender cell={cell} />
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
