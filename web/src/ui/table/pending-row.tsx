import { FlexRender, type Cell, type RowData } from '@tanstack/react-table';
import type { Ref } from 'react';
import type { Density } from '../../lib/list/list-layout.ts';
import { Spinner } from '../feedback/spinner.tsx';
import type { ListFeatures } from './list-columns.ts';
import { cellStyle } from './table-style.ts';

interface PendingRowProps<Row extends RowData> {
  name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- values differ from cell to cell (Table's own signature)
  cells: readonly Cell<ListFeatures, Row, any>[];
  /** Index on the page, from 0. */
  index: number;
  density: Density;
  /** Whether the other rows begin with a checkbox. */
  isSelectable: boolean;
  measure?: Ref<HTMLTableRowElement> | undefined;
}

/** A row of a record that is being created: its links and buttons would lead nowhere yet. */
export function PendingRow<Row extends RowData>({
  name,
  cells,
  index,
  density,
  isSelectable,
  measure,
}: PendingRowProps<Row>) {
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      tabIndex={-1}
      aria-busy
      className="bg-surface -outline-offset-2"
    >
      {isSelectable && (
        <td className={cellStyle({ density, class: 'print:hidden' })}>
          <Spinner />
        </td>
      )}
      {cells.map((cell) => {
        const { align, from, rowHeader = false, last } = cell.column.columnDef.meta ?? {};
        const Tag = rowHeader ? 'th' : 'td';
        return (
          <Tag
            key={cell.id}
            scope={rowHeader ? 'row' : undefined}
            className={cellStyle({ align, from, rowHeader, density })}
          >
            {rowHeader ? (
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{name}</span>
                <span className="text-sm font-normal text-muted">Creating…</span>
              </span>
            ) : (
              <span inert className="opacity-70">
                {last !== true && <FlexRender cell={cell} />}
              </span>
            )}
          </Tag>
        );
      })}
    </tr>
  );
}
