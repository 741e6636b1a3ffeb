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

/** Minimum widths of the list in pixels, as in `table-style.ts`, and the least room of a growing column in each. */
export const steps = [
  { from: undefined, width: 0, grow: 136 },
  { from: 'sm', width: 576, grow: 150 },
  { from: 'md', width: 800, grow: 160 },
  { from: 'lg', width: 864, grow: 168 },
  { from: 'xl', width: 992, grow: 168 },
  { from: 'xxl', width: 1152, grow: 168 },
] as const;

const stepOf = (column: Column): number => steps.findIndex(({ from }) => from === column?.from);

const grows = (column: Column): boolean => column?.grow ?? column?.rowHeader ?? false;

/** Width in pixels of a column that does not grow: room for its label at least. */
function widthOf(column: Column): number {
  const { label = '', hideLabel = false, sortable = false, last = false, width } = column ?? {};
  if (last) return width ?? standard.last;
  const ofLabel = hideLabel ? 0 : Math.ceil(label.length * ofCharacter) + (sortable ? aroundLabel : 32);
  return Math.max(width ?? standard.column, ofLabel);
}

/** Width of the narrowest list, of a screen of 390 px. */
const narrowest = 356;

/** Style of a column's header cell; it sets the width of the column. */
export function columnStyle(column: Column): CSSProperties | undefined {
  if (grows(column)) return undefined;
  const width = widthOf(column);
  const narrow = column?.narrowWidth;
  if (narrow === undefined) return { width };
  // All of the room that the narrowest list has not is the column's, up to its width.
  return { width: `clamp(${narrow}px, 100cqi - ${narrowest - narrow}px, ${width}px)` };
}

/** Style of the header cell above the checkboxes. */
export const boxStyle: CSSProperties = { width: standard.box };

/** Pixels that the columns need in a step at least. */
function leastWidthOf(
  columns: readonly Column[],
  { step, selectable }: { step: number; selectable: boolean },
): number {
  const growing = steps[step]?.grow ?? 0;
  const widths = columns.map((column) => {
    if (grows(column)) return growing;
    return (step === 0 ? column?.narrowWidth : undefined) ?? widthOf(column);
  });
  return widths.reduce((total, width) => total + width, selectable ? standard.box : 0);
}

/**
 * The minimum width of the list that shows each column: as declared, or the first one in which the column has room beside
 * those that are declared for a narrower list or before it, and checkboxes. A column that has no room in any of them has the widest.
 */
export function fittingSteps(columns: readonly Column[]): ColumnMeta['from'][] {
  const shown = columns.filter((column) => column?.from === undefined);
  const last = steps.length - 1;
  const fitting = new Map<Column, ColumnMeta['from']>();
  let step = 0;
  for (const column of columns.toSorted((a, b) => stepOf(a) - stepOf(b))) {
    if (column?.from === undefined) continue;
    shown.push(column);
    step = Math.max(step, stepOf(column));
    while (step < last && leastWidthOf(shown, { step, selectable: true }) > (steps[step]?.width ?? 0))
      step += 1;
    fitting.set(column, steps[step]?.from);
  }
  return columns.map((column) => fitting.get(column));
}

/**
 * Minimum width of the table in each width of the list, as custom properties; a narrower list scrolls sideways.
 * @param selectable the rows have checkboxes
 */
export function tableStyle(columns: readonly Column[], selectable: boolean): CSSProperties {
  const entries = steps.map(({ from }, step) => {
    const shown = columns.filter((column) => stepOf(column) <= step);
    const least = leastWidthOf(shown, { step, selectable });
    return [from === undefined ? '--least' : `--least-${from}`, `${least}px`];
  });
  return Object.fromEntries(entries) as CSSProperties;
}
