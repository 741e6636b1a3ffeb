import type { ReactNode } from 'react';
import { ErrorState } from '../feedback/error-state.tsx';
import { HeadCell } from './head-cell.tsx';
import { tableStyle } from './column-widths.ts';
import type { ColumnMeta } from './list-columns.ts';
import { SkeletonRows } from './skeleton-rows.tsx';
import { cellStyle, pinOf } from './table-style.ts';
import { Table } from './table.tsx';

/** A column of a `PlainTable`; it does not sort. */
export interface PlainColumn<Row> extends Omit<ColumnMeta, 'sortable'> {
  cell: (row: Row) => ReactNode;
}

export interface PlainTableProps<Row> {
  /** Name of the table. */
  label: string;
  columns: readonly PlainColumn<Row>[];
  rowId: (row: Row) => string;
  /** React Query's result. */
  query: { readonly data: readonly Row[] | undefined; readonly error: unknown; refetch(): unknown };
  /** Title of a failed load. */
  failure: string;
  /** Shown when there are no rows: an `EmptyState`. */
  empty: ReactNode;
  /** Number of rows in all pages, of a list with pages: a page without rows is loading while others have rows. */
  total?: number;
  skeletonRows?: number;
}

const unsorted = { sort: '', standardSort: '', onSort: () => undefined } as const;

/** The row header and the buttons of a row stay while the other columns scroll. */
const pinned = { pinned: true, selectable: false } as const;

/** A short list in a fixed order: a `DataTable` without paging, sorting and selection. */
export function PlainTable<Row>({
  label,
  columns,
  rowId,
  query,
  failure,
  empty,
  total = 0,
  skeletonRows = 3,
}: PlainTableProps<Row>) {
  const { data: rows, error } = query;
  if (rows === undefined && error !== null) {
    return <ErrorState title={failure} error={error} onRetry={() => void query.refetch()} />;
  }
  if (rows?.length === 0 && total === 0) return empty;
  const shown = rows ?? [];
  return (
    <Table label={label} style={tableStyle(columns, false)}>
      <thead>
        <tr>
          {columns.map((column) => (
            <HeadCell
              key={column.label}
              id={column.label}
              meta={column}
              pinned={pinOf(column, pinned)}
              {...unsorted}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.length === 0 && <SkeletonRows columns={columns} rows={skeletonRows} />}
        {shown.map((row) => (
          <tr key={rowId(row)} className="group/row bg-surface hover:bg-hover">
            {columns.map((column) => {
              const { label: name, align, from, rowHeader, cell } = column;
              const Cell = rowHeader === true ? 'th' : 'td';
              return (
                <Cell
                  key={name}
                  scope={rowHeader === true ? 'row' : undefined}
                  className={cellStyle({ align, from, rowHeader, pinned: pinOf(column, pinned) })}
                >
                  {cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
