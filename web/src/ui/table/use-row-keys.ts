import { useRef, type RefObject } from 'react';
import { useShortcuts } from '../../lib/browser/shortcuts.ts';

interface RowKeys {
  on: boolean;
  /** Number of rows on the page. */
  count: number;
  /** Scrolls to a row that is not rendered yet. */
  reveal: RefObject<(index: number) => void>;
}

/** Animation frames to wait for a row to be rendered after scrolling. */
const patience = 10;

/** J and K move between the rows of the region; X selects the focused row. */
export function useRowKeys(region: RefObject<HTMLElement | null>, { on, count, reveal }: RowKeys): void {
  const last = useRef<number>(undefined);

  function focusedRow(): HTMLElement | null {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-index]') ?? null;
    return region.current?.contains(row) === true ? row : null;
  }

  function focus(index: number, frames = patience): void {
    const row = region.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);
    if (row !== null && row !== undefined) {
      // Scrolls only the region, and only when necessary, so that the search field and the chips stay visible.
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else if (frames > 0) requestAnimationFrame(() => focus(index, frames - 1));
  }

  function move(step: 1 | -1): void {
    const row = focusedRow();
    const from = row === null ? (last.current ?? -1) : Number(row.dataset['index']);
    const to = Math.min(Math.max(0, from + step), count - 1);
    last.current = to;
    reveal.current(to);
    focus(to);
  }

  const toggle = () => focusedRow()?.querySelector<HTMLElement>('[role="checkbox"]')?.click();

  useShortcuts(
    'List',
    [
      { keys: 'j', label: 'Next row', run: () => move(1) },
      { keys: 'k', label: 'Previous row', run: () => move(-1) },
      { keys: 'x', label: 'Select the row', run: toggle },
      { keys: 'Enter', label: 'Open the row' },
    ],
    on && count > 0,
  );
}
