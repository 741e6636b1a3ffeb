import type { CSSProperties } from 'react';
import type { ColumnMeta } from './list-columns.ts';

/**
 * Widths of a table's columns. They depend only on the declared columns and never on the rows, so that nothing moves
 * while rows load, change or scroll (`table-layout: fixed`).
 */

type Column = Partial<ColumnMeta> | undefined;

/** Pixels of an average column, of the checkbox of a row, and of its buttons. */
const standard = { column: 128, box: 44, last: 52 } as const;

/** Pixels of a header around its label: padding, sort arrow, filter button. */
const aroundLabel = 64;
const ofCharacter = 6.2;

/** Minimum widths of the list, as in `table-style.ts`, and the least room of a growing column in each. */
const steps = [
  { from: undefined, grow: 136 },
  { from: 'sm', grow: 150 },
  { from: 'md', grow: 160 },
  { from: 'lg', grow: 168 },
  { from: 'xl', grow: 168 },
] as const;

const grows = (column: Column): boolean => column?.grow ?? column?.rowHeader ?? false;

/** Width in pixels of a column that does not grow: room for its label at least. */
function widthOf(column: Column): number {
  const { label = '', hideLabel = false, sortable = false, last = false, width } = column ?? {};
  if (last) return width ?? standard.last;
  const ofLabel = hideLabel ? 0 : Math.ceil(label.length * ofCharacter) + (sortable ? aroundLabel : 32);
  return Math.max(width ?? standard.column, ofLabel);
}

/** Style of a column's header cell; it sets the width of the column. */
export const columnStyle = (column: Column): CSSProperties | undefined =>
  grows(column) ? undefined : { width: widthOf(column) };

/** Style of the header cell above the checkboxes. */
export const boxStyle: CSSProperties = { width: standard.box };

/**
 * Minimum width of the table in each width of the list, as custom properties; a narrower list scrolls sideways.
 * @param selectable the rows have checkboxes
 */
export function tableStyle(columns: readonly Column[], selectable: boolean): CSSProperties {
  const entries = steps.map(({ from, grow }, step) => {
    const shown = columns.filter(
      (column) => column?.from === undefined || steps.findIndex((one) => one.from === column.from) <= step,
    );
    const least = shown.map((column) => (grows(column) ? grow : widthOf(column)));
    const sum = least.reduce((total, width) => total + width, selectable ? standard.box : 0);
    return [from === undefined ? '--least' : `--least-${from}`, `${sum}px`];
  });
  return Object.fromEntries(entries) as CSSProperties;
}
