import { formatCount, formatTotal } from '@riskboard/domain';
import { X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useCommands, type Command } from '../../lib/browser/commands.ts';
import { focusMain } from '../../lib/browser/page-focus.ts';
import { Button } from '../button/button.tsx';
import { selectionCommand, type ListSelectionState } from './use-selection.ts';

export interface SelectionBarProps {
  selection: ListSelectionState;
  /** Number of matching rows on all pages. */
  total: number;
  /** There are more rows than `total`. */
  isCapped: boolean;
  /** Number of rows on this page. */
  shown: number;
  /** Commands of the palette that export the selected rows. */
  exports: readonly Omit<Command, 'group'>[];
  /** Buttons of the actions. */
  children: ReactNode;
}

const noCommands: readonly Command[] = [];

function statusText(
  { selected: { count }, all, wholePage, isCounting, countFailed }: ListSelectionState,
  shown: number,
): string {
  if (countFailed) return 'The matching rows could not be counted.';
  if (isCounting) return 'Counting all matching rows…';
  if (all) return `All ${formatCount(count)} matching rows are selected.`;
  if (wholePage && count === shown) return `All ${formatCount(shown)} on this page are selected.`;
  return `${formatCount(count)} selected`;
}

/** Number of selected rows, a button to select all matching rows, and actions; renders nothing without a selection. */
export function SelectionBar({ selection, total, isCapped, shown, exports, children }: SelectionBarProps) {
  const { selected, wholePage, selectAll, isCounting, countFailed, countAgain } = selection;
  useCommands(
    selected.count === 0 || isCounting
      ? noCommands
      : [
          ...exports.map((command) => ({ ...selectionCommand(selected), ...command })),
          {
            ...selectionCommand(selected),
            id: 'clear selection',
            label: 'Clear selection',
            terms: 'deselect none',
            icon: <X aria-hidden size={16} />,
            run: selected.clear,
          },
        ],
  );
  const status = useRef<HTMLSpanElement>(null);
  if (selected.count === 0) return null;

  /** For a button that disappears with its action. */
  function focusStatusAfter(action: () => void): void {
    action();
    status.current?.focus({ preventScroll: true });
  }

  return (
    <section
      data-keep-clear=""
      aria-label="Selected rows"
      className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-accent-soft px-4 py-2 text-sm print:hidden"
    >
      <span ref={status} tabIndex={-1} aria-live="polite" className="font-medium tabular-nums">
        {statusText(selection, shown)}
      </span>
      {wholePage && (
        <button
          type="button"
          onClick={() => focusStatusAfter(selectAll)}
          className="min-h-6 rounded font-medium text-accent-text tabular-nums hover:underline"
        >
          Select all {formatTotal(total, isCapped)} matching rows
        </button>
      )}
      <span className="grow" />
      <Button
        size="sm"
        variant="ghost"
        onClick={() => {
          selected.clear();
          focusMain();
        }}
      >
        Clear selection
      </Button>
      {countFailed && (
        <Button size="sm" onClick={() => focusStatusAfter(countAgain)}>
          Retry
        </Button>
      )}
      {/* The actions name the number of rows that they change. */}
      {!isCounting && children}
    </section>
  );
}
