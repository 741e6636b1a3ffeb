import type { CSSProperties } from 'react';
import type { ColumnMeta } from './list-columns.ts';

/**
 * Widths of a table's columns. They depend only on the declared columns and the width of the table, never on the rows, so
 * that nothing moves while rows load, change or scroll (`table-layout: fixed`). Decision 72.
 */

type Column = Partial<ColumnMeta> | undefined;

/** Pixels of a column that does not grow: at least, and where the table has room. */
interface Widths {
  least: number;
  full: number;
}

/** Pixels of an average column, of the checkbox of a row, of its buttons, and of a column that grows. */
const standard = {
  column: 128,
  box: 44,
  last: 52,
  growing: { least: 136, full: 240 },
  /** More for a column that grows where the table scrolls sideways: then names need not give up their room. */
  scrolled: 64,
} as const;

/** Pixels of a header around its label: padding; in sortable columns also the arrow and the filter button. */
const around = { plain: 32, sortable: 64 } as const;

/** Pixels of a character in a header, in the bold type of the sorted column: the first form that it matches. */
const characters = [
  [/[ fijlrtI/]/u, 3.7],
  [/[A-Z]/u, 8.4],
  [/./u, 7.2],
] as const;

/** Minimum widths of the list in pixels, as in `table-style.ts`. The last one shows all columns. */
export const steps = [
  { from: undefined, width: 0 },
  { from: 'sm', width: 576 },
  { from: 'md', width: 704 },
] as const;

const stepOf = (column: Column): number => steps.findIndex(({ from }) => from === column?.from);

/** Whether a list of this width in pixels shows the column. */
export const hasRoom = (column: Column, width: number): boolean =>
  width >= (steps[stepOf(column)]?.width ?? 0);

const grows = (column: Column): boolean => column?.grow ?? column?.rowHeader ?? false;

const textWidth = (text: string): number =>
  Array.from(text).reduce(
    (sum, character) => sum + (characters.find(([form]) => form.test(character))?.[1] ?? 0),
    0,
  );

/** Widths of a column: its declared ones, and room for its label at least. */
function widthsOf(column: Column): Widths {
  if (grows(column)) return standard.growing;
  const { label = '', hideLabel = false, sortable = false, last = false, width, narrowWidth } = column ?? {};
  const full = width ?? (last ? standard.last : standard.column);
  const isLabeled = !hideLabel && !last;
  const ofLabel = isLabeled ? Math.ceil(textWidth(label)) + around[sortable ? 'sortable' : 'plain'] : 0;
  return { least: Math.max(narrowWidth ?? full, ofLabel), full: Math.max(full, ofLabel) };
}

/**
 * Style of a column's header cell; it sets the width of the column. Columns give up their spare width together, each the
 * same part of it, while the table is too narrow for all of them: `--spare-part` of a pixel for each pixel of the table.
 */
export function columnStyle(column: Column): CSSProperties | undefined {
  if (grows(column)) return undefined;
  const { least, full } = widthsOf(column);
  if (least === full) return { width: full };
  const growth = `(100cqi - var(--least-md)) * var(--spare-part) * ${full - least}`;
  return { width: `clamp(${least}px, ${least}px + ${growth}, ${full}px)` };
}

/** Style of the header cell above the checkboxes. */
export const boxStyle: CSSProperties = { width: standard.box };

/** Pixels of the columns together, and of the checkboxes. */
function sumOf(columns: readonly Column[], width: keyof Widths, selectable: boolean): number {
  return columns.reduce((total, column) => total + widthsOf(column)[width], selectable ? standard.box : 0);
}

/**
 * The minimum width of the list that shows each column: as declared, or the first one in which the column has room beside
 * those that are declared for a narrower list or before it, and checkboxes. The widest one shows every column.
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
    while (step < last && sumOf(shown, 'least', true) > (steps[step]?.width ?? 0)) step += 1;
    fitting.set(column, steps[step]?.from);
  }
  return columns.map((column) => fitting.get(column));
}

/**
 * Minimum width of the table in each width of the list, as custom properties; a narrower list scrolls sideways. And the
 * part of their spare width that its columns get for each pixel above the last minimum width.
 * @param selectable the rows have checkboxes
 */
export function tableStyle(columns: readonly Column[], selectable: boolean): CSSProperties {
  const entries = steps.map(({ from }, step) => {
    const shown = columns.filter((column) => stepOf(column) <= step);
    const least = `${sumOf(shown, 'least', selectable)}px`;
    const more = `${shown.filter(grows).length * standard.scrolled}px`;
    // Any list that is narrower by a pixel gets all of it.
    const width = `calc(${least} + clamp(0px, (${least} - 100cqi) * 1000, ${more}))`;
    return [from === undefined ? '--least' : `--least-${from}`, width];
  });
  const spare = sumOf(columns, 'full', selectable) - sumOf(columns, 'least', selectable);
  return Object.fromEntries([...entries, ['--spare-part', spare === 0 ? 0 : 1 / spare]]) as CSSProperties;
}
