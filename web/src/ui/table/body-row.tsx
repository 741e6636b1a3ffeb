import { FlexRender, type Cell, type RowData } from '@tanstack/react-table';
import { memo, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { focusSidePane } from '../../lib/browser/side-pane.ts';
import type { Density } from '../../lib/list/list-layout.ts';
import { Checkbox } from '../input/checkbox.tsx';
import type { ListFeatures } from './list-columns.ts';
import { cellStyle, pinOf, rowFrameStyle } from './table-style.ts';

interface BodyRowProps<Row extends RowData> {
  id: string;
  /** Open beside the table. */
  isOpen: boolean;
  row: Row;
  // oxlint-disable-next-line typescript/no-explicit-any -- values differ from cell to cell (Table's own signature)
  cells: readonly Cell<ListFeatures, Row, any>[];
  /** Index on the page, from 0. */
  index: number;
  density: Density;
  /** The row header does not scroll. */
  pinned: boolean;
  /** Absent: rows cannot be selected. */
  selection?: RowSelection | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  /** Measures the row's height for the virtual list. */
  measure?: Ref<HTMLTableRowElement>;
}

interface RowSelection {
  checked: boolean;
  /** Name of the row in 'Select …'. */
  name: string;
  toggle: (checked: boolean, shiftKey: boolean) => void;
}

/** Interactive elements inside a row; a click on them does not open the row. */
const controls = 'a, button, input, label, select, textarea, summary, [role="menuitem"], [contenteditable]';

function isOwn({ target, currentTarget, defaultPrevented }: MouseEvent<HTMLTableRowElement>): boolean {
  if (defaultPrevented || !(target instanceof Element) || target.closest(controls) !== null) return true;
  // Events of portals bubble through React's tree, and selecting text is not a click.
  return !currentTarget.contains(target) || window.getSelection()?.isCollapsed === false;
}

function PlainBodyRow<Row extends RowData>({
  id,
  isOpen,
  row,
  cells,
  index,
  density,
  pinned,
  selection,
  onOpen,
  measure,
}: BodyRowProps<Row>) {
  function onKeyDown(event: KeyboardEvent<HTMLTableRowElement>): void {
    if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
    event.preventDefault();
    if (isOpen) focusSidePane();
    else onOpen?.(row);
  }

  return (
    // Enter is handled below; the name of the row is a link.
    <tr
      ref={measure}
      data-index={index}
      // Counts the header: virtual rows are not all in the document.
      aria-rowindex={index + 2}
      data-id={id}
      tabIndex={-1}
      aria-current={isOpen ? 'true' : undefined}
      aria-selected={selection?.checked}
      onClick={onOpen && ((event) => !isOwn(event) && onOpen(row))}
      onKeyDown={onKeyDown}
      className={`group/row scroll-mt-24 scroll-mb-14 bg-surface ${rowFrameStyle} hover:bg-hover aria-selected:bg-accent-soft aria-[current=true]:bg-accent-soft ${onOpen === undefined ? '' : 'cursor-pointer'}`}
    >
      {selection !== undefined && (
        <td className={cellStyle({ density, pinned: pinned ? 'box' : undefined, class: 'print:hidden' })}>
          <Checkbox
            label={`Select ${selection.name}`}
            hideLabel
            checked={selection.checked}
            onChange={(checked, { shiftKey }) => selection.toggle(checked, shiftKey)}
          />
        </td>
      )}
      {cells.map((cell) => {
        const { meta } = cell.column.columnDef;
        const { align, from, rowHeader } = meta ?? {};
        const Tag = rowHeader === true ? 'th' : 'td';
        const pin = pinOf(meta, { pinned, selectable: selection !== undefined });
        return (
          <Tag
            key={cell.id}
            scope={rowHeader === true ? 'row' : undefined}
            className={cellStyle({ align, from, rowHeader, density, pinned: pin })}
          >
            <FlexRender cell={cell} />
          </Tag>
        );
      })}
    </tr>
  );
}

/** A row of a table; renders again only when its own props have changed. */
export const BodyRow = memo(PlainBodyRow, isSame) as typeof PlainBodyRow;

function isSame<Row extends RowData>(a: BodyRowProps<Row>, b: BodyRowProps<Row>): boolean {
  return (
    a.row === b.row &&
    a.cells === b.cells &&
    a.index === b.index &&
    a.density === b.density &&
    a.pinned === b.pinned &&
    a.onOpen === b.onOpen &&
    a.isOpen === b.isOpen &&
    a.selection?.checked === b.selection?.checked &&
    a.selection?.name === b.selection?.name
  );
}
