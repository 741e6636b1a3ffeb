import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../button.tsx';
import type { ListSelectionState } from './use-selection.ts';

interface SelectionBarProps {
  selection: ListSelectionState;
  /** Rows that match, on all pages. */
  total: number;
  /** Rows of this page. */
  shown: number;
  /** Buttons of what can be done. */
  children: ReactNode;
}

/** How many rows are selected, the way to all that match, and what can be done; absent while there are none. */
export function SelectionBar({ selection, total, shown, children }: SelectionBarProps) {
  const { selected, all, wholePage, selectAll } = selection;
  if (selected.count === 0) return null;
  return (
    <section
      aria-label="Selected rows"
      className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 border-t bg-accent-soft px-4 py-2 text-sm"
    >
      <span aria-live="polite" className="font-medium tabular-nums">
        {all
          ? `All ${formatCount(selected.count)} that match are selected.`
          : `${formatCount(selected.count)} selected`}
      </span>
      {wholePage && (
        <span className="flex flex-wrap items-center gap-x-2 tabular-nums">
          All {formatCount(shown)} on this page are selected.
          <Button size="sm" variant="ghost" onClick={selectAll}>
            Select all {formatCount(total)} that match
          </Button>
        </span>
      )}
      <span className="grow" />
      <Button size="sm" variant="ghost" onClick={selected.clear}>
        Clear selection
      </Button>
      {children}
    </section>
  );
}
