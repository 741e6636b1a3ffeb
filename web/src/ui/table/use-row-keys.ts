import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { findInSidePane, isInSidePane } from '../../lib/browser/side-pane.ts';
import { useShortcuts } from '../../lib/browser/shortcuts.ts';
import { inSentence } from '../../lib/entity/field-text.ts';

/** An editor in a cell: `name` is in `data-inline-edit` of its button. */
export interface RowEdit {
  /** In lower case. */
  key: string;
  name: string;
  /** Label of the field. */
  label: string;
}

interface RowKeys {
  on: boolean;
  /** Number of rows on the page. */
  count: number;
  /** Scrolls to a row that is not rendered yet. */
  reveal: RefObject<(index: number) => void>;
  /** Index of the row that is open beside the table; -1: none on this page. */
  openIndex: number;
  edits: readonly RowEdit[];
  /** Called with the index of the row that has become the current one. */
  onMove: (index: number) => void;
}

/** Animation frames to wait for a row to be rendered after scrolling. */
const patience = 10;

const arrows: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** J and K, and the arrow keys on a row, move between the rows of the region; X selects the current row. */
export function useRowKeys(
  region: RefObject<HTMLElement | null>,
  { on, count, reveal, openIndex, edits, onMove }: RowKeys,
): void {
  const last = useRef<number>(undefined);
  // The row that keys have just opened, until the list knows it.
  const opening = useRef({ from: -1, to: -1 });

  const rowAt = (index: number): HTMLElement | null =>
    region.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`) ?? null;

  /** The row with the focus, or else the open one. */
  function currentRow(): HTMLElement | null {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-index]') ?? null;
    if (region.current?.contains(row) === true) return row;
    const { from, to } = opening.current;
    return rowAt(from === openIndex && openIndex !== -1 ? to : openIndex);
  }

  function show(index: number, frames = patience): void {
    const row = rowAt(index);
    if (row !== null) {
      // In the pane beside the table, the focus stays there.
      if (!isInSidePane(document.activeElement)) row.focus({ preventScroll: true });
      // Scrolls only the region, and only when necessary, so that the search field and the chips stay visible.
      row.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else if (frames > 0) requestAnimationFrame(() => show(index, frames - 1));
  }

  function move(step: 1 | -1): void {
    const row = currentRow();
    const from = row === null ? (last.current ?? -1) : Number(row.dataset['index']);
    const to = Math.min(Math.max(0, from + step), count - 1);
    last.current = to;
    opening.current = { from: openIndex, to };
    reveal.current(to);
    show(to);
    onMove(to);
  }

  const toggle = () => currentRow()?.querySelector<HTMLElement>('input[type="checkbox"]')?.click();

  /** In the pane when the focus is there, or when the list does not show the field. */
  function edit(name: string): void {
    const button = `[data-inline-edit="${name}"]`;
    const inRow = currentRow()?.querySelector<HTMLElement>(`td:has(${button})`) ?? null;
    const isShown = inRow !== null && getComputedStyle(inRow).display !== 'none';
    const inPane = findInSidePane(button);
    if (inPane !== null && (!isShown || isInSidePane(document.activeElement))) inPane.click();
    else if (isShown) inRow.querySelector<HTMLElement>(button)?.click();
  }

  const onArrow = useEffectEvent((event: KeyboardEvent) => {
    const step = arrows[event.key];
    const isOnRow = event.target instanceof Element && event.target.matches('tr[data-index]');
    if (!on || step === undefined || !isOnRow || event.defaultPrevented || event.shiftKey || event.ctrlKey)
      return;
    event.preventDefault();
    move(step);
  });
  useEffect(() => {
    const element = region.current;
    const listener = (event: KeyboardEvent) => onArrow(event);
    element?.addEventListener('keydown', listener);
    return () => element?.removeEventListener('keydown', listener);
  });

  useShortcuts(
    'List',
    [
      { keys: 'j', label: 'Next row (↓ on a row)', run: () => move(1) },
      { keys: 'k', label: 'Previous row (↑ on a row)', run: () => move(-1) },
      { keys: 'x', label: 'Select the row', run: toggle },
      ...edits.map(({ key, name, label }) => ({
        keys: key,
        label: `Change ${inSentence(label)}`,
        run: () => edit(name),
      })),
      { keys: 'Enter', label: 'Open the row beside the list; again: go to its panel' },
    ],
    on && count > 0,
  );
}
