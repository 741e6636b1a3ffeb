import { useTable, type RowData } from '@tanstack/react-table';
import { useRef, type ReactNode, type RefObject } from 'react';
import { useStable } from '../../lib/hooks/use-stable.ts';
import type { Density } from '../../lib/list/list-layout.ts';
import { lazyPart } from '../layout/lazy-part.tsx';
import { BodyRow } from './body-row.tsx';
import { Checkbox } from '../input/checkbox.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { HeadCell } from './head-cell.tsx';
import type { Sort } from './sort.ts';
import { listFeatures, type ColumnMeta, type ListColumn, type ListSelection } from './list-columns.ts';
import { boxStyle, tableStyle } from './column-widths.ts';
import { PendingRow } from './pending-row.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import { Table } from './table.tsx';
import { headCellStyle, pinOf } from './table-style.ts';
import { useRowKeys, type RowEdit } from './use-row-keys.ts';
import { useRowSelection } from './use-row-selection.ts';

export interface DataTableProps<Row extends RowData> {
  /** The scroll region. */
  ref?: RefObject<HTMLElement | null>;
  /** Name of the table. */
  label: string;
  /** Created once with `listColumns<Row>()`, outside the component. */
  columns: readonly ListColumn<Row>[];
  /** The page's rows; undefined while the first ones load. */
  rows: readonly Row[] | undefined;
  /** Names of the rows that are being created, by id: nothing in them can be used. */
  pending?: ReadonlyMap<string, string>;
  rowId: (row: Row) => string;
  sort: Sort;
  /** The list's default sort: the third click on a header returns to it. */
  standardSort: Sort;
  onSort: (sort: Sort) => void;
  /** Absent: rows cannot be selected. */
  selection?: {
    value: ListSelection;
    onChange: (value: ListSelection) => void;
    /** Name of a row in 'Select …'. */
    name: (row: Row) => string;
  };
  /** New rows are loading; the old ones stay. */
  busy?: boolean;
  /** Error of a failed load, with the title of the spec. */
  failure?: { title: string; error: unknown; onRetry: () => void } | undefined;
  /** Shown when there are no rows: an `EmptyState`. */
  empty: ReactNode;
  /** Keeps the header above the empty state or a failure, because an open filter may be in it. */
  keepHead?: boolean;
  /** Number of skeleton rows: the page size. */
  skeletonRows?: number;
  density?: Density;
  /** The row header does not scroll sideways. */
  pinned?: boolean;
  /** Content next to the label of a column header, by column id. */
  headTools?: Readonly<Record<string, ReactNode>>;
  /** Called when a row is clicked or Enter is pressed on it. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Id of the row that is open beside the table; moving by keys then opens the next row. */
  openId?: string | undefined;
  /** Keys that open the editor of a field in the current row. */
  edits?: readonly RowEdit[];
  /** Enables J and K to move between rows and X to select one. */
  keys?: boolean;
}

const noRows: readonly never[] = [];
const ignore = () => undefined;
const noEdits: readonly RowEdit[] = [];
const nonePending: ReadonlyMap<string, string> = new Map();

/** From this number of rows on, only the visible ones are rendered. */
const virtualFrom = 100;
/** Number of rows that fill a screen. */
const firstRows = 40;

// Loaded on demand, because most pages are shorter.
const VirtualRows = lazyPart(
  async () => (await import('./virtual-rows.tsx')).VirtualRows,
  ({ count, children: renderRow }) =>
    Array.from({ length: Math.min(count, firstRows) }, (_, index) => renderRow(index, null)),
);

/** Table of a server list: sortable headers, row selection, and loading, empty and error states. */
export function DataTable<Row extends RowData>({
  ref,
  label,
  columns,
  rows,
  pending = nonePending,
  rowId,
  sort,
  standardSort,
  onSort,
  selection,
  busy = false,
  failure,
  empty,
  keepHead = false,
  skeletonRows = 10,
  density = 'comfortable',
  pinned = false,
  headTools,
  onOpen,
  openId,
  keys = false,
  edits = noEdits,
}: DataTableProps<Row>) {
  const own = useRef<HTMLElement>(null);
  const region = ref ?? own;
  const reveal = useRef<(index: number) => void>(ignore);
  const open = useStable(onOpen);
  const table = useTable({
    features: listFeatures,
    columns,
    data: rows ?? noRows,
    getRowId: rowId,
  });
  const headers = table.getHeaderGroups().flatMap((group) => group.headers);
  const metas: Partial<ColumnMeta>[] = headers.map((header) => header.column.columnDef.meta ?? {});
  const body = table.getRowModel().rows;
  const selectable = body.map(({ id }) => id).filter((id) => !pending.has(id));
  const rowSelection = useRowSelection(selectable, selection ?? {});
  const virtual = body.length >= virtualFrom;
  const openIndex = openId === undefined ? -1 : body.findIndex(({ id }) => id === openId);
  useRowKeys(region, {
    on: keys,
    count: body.length,
    reveal,
    openIndex,
    edits,
    onMove(index) {
      const row = body[index];
      if (openId === undefined || row === undefined || pending.has(row.id)) return;
      if (row.id !== openId) onOpen?.(row.original);
    },
  });

  function renderRow(index: number, measure?: React.Ref<HTMLTableRowElement>): ReactNode {
    const row = body[index];
    if (row === undefined) return null;
    const pendingName = pending.get(row.id);
    if (pendingName !== undefined) {
      return (
        <PendingRow<Row>
          key={row.id}
          name={pendingName}
          cells={row.getAllCells()}
          index={index}
          density={density}
          isSelectable={selection !== undefined}
          measure={measure}
        />
      );
    }
    return (
      <BodyRow<Row>
        key={row.id}
        id={row.id}
        isOpen={row.id === openId}
        row={row.original}
        cells={row.getAllCells()}
        index={index}
        density={density}
        pinned={pinned}
        measure={measure}
        onOpen={onOpen && open}
        selection={
          selection && {
            checked: rowSelection.isSelected(row.id),
            name: selection.name(row.original),
            toggle: (checked, shiftKey) => rowSelection.toggle(row.id, checked, shiftKey),
          }
        }
      />
    );
  }

  const instead = failure === undefined ? rows?.length === 0 && empty : <ErrorState {...failure} />;
  if (instead !== false && !keepHead) return instead;
  const frame = (
    <Table
      ref={region}
      label={label}
      busy={busy}
      virtual={virtual ? { rows: body.length } : undefined}
      style={tableStyle(metas, selection !== undefined)}
      density={density}
    >
      <thead>
        <tr aria-rowindex={1}>
          {selection !== undefined && (
            <th
              scope="col"
              className={headCellStyle({ pinned: pinned ? 'box' : undefined, class: 'print:hidden' })}
              style={boxStyle}
            >
              <Checkbox
                label="Select all rows on this page"
                hideLabel
                checked={rowSelection.all}
                disabled={body.length === 0}
                onChange={rowSelection.toggleAll}
              />
            </th>
          )}
          {headers.map(({ id, column }) => (
            <HeadCell
              key={id}
              id={column.id}
              meta={column.columnDef.meta}
              sort={sort}
              standardSort={standardSort}
              onSort={onSort}
              pinned={pinOf(column.columnDef.meta, { pinned, selectable: selection !== undefined })}
              tool={headTools?.[column.id]}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === undefined && failure === undefined && (
          <SkeletonRows
            columns={selection === undefined ? metas : [{}, ...metas]}
            rows={skeletonRows}
            density={density}
          />
        )}
        {virtual ? (
          <VirtualRows
            count={body.length}
            density={density}
            columns={headers.length + (selection === undefined ? 0 : 1)}
            scroll={region}
            reveal={reveal}
          >
            {renderRow}
          </VirtualRows>
        ) : (
          body.map((_, index) => renderRow(index))
        )}
      </tbody>
    </Table>
  );
  return (
    <>
      {frame}
      {instead}
    </>
  );
}
