import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { isSingleKey } from '../lib/single-key.ts';

interface RowKeys {
  on: boolean;
  /** Rows of the page. */
  count: number;
  /** Brings a row into sight that is not in the page yet. */
  reveal: RefObject<(index: number) => void>;
}

/** Frames to wait for a row that has just been scrolled to. */
const patience = 10;

/** J and K go through the rows of the region, X selects the row that has the focus. */
export function useRowKeys(region: RefObject<HTMLElement | null>, { on, count, reveal }: RowKeys): void {
  const last = useRef<number>(undefined);

  function focusedRow(): HTMLElement | null {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-index]') ?? null;
    return region.current?.contains(row) === true ? row : null;
  }

  function focus(index: number, frames = patience): void {
    const row = region.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);
    if (row !== null && row !== undefined) {
      // The search box and the chips stay where they are: only the region scrolls to the row, and that if it must.
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

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (count === 0 || !isSingleKey(event)) return;
    const key = event.key.toLowerCase();
    if (key === 'j') move(1);
    else if (key === 'k') move(-1);
    else if (key === 'x') focusedRow()?.querySelector<HTMLElement>('[role="checkbox"]')?.click();
    else return;
    event.preventDefault();
  });

  useEffect(() => {
    if (!on) return undefined;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [on]);
}
