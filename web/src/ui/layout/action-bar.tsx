import type { ReactNode } from 'react';

interface ActionBarProps {
  /** What the actions do, or why they are refused. */
  note: ReactNode;
  /** Of the note, for the actions that it describes. */
  noteId?: string;
  /** The bar closes a card, whose border it shares. */
  inCard?: boolean;
  /** The buttons. */
  children: ReactNode;
}

/** Bar of the actions of a form or a step: always in sight at the bottom of the window, and never under toasts. */
export function ActionBar({ note, noteId, inCard = false, children }: ActionBarProps) {
  return (
    <footer
      data-keep-clear=""
      className={`sticky bottom-0 z-20 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 bg-surface px-4 py-3 ${inCard ? 'rounded-b border-t sm:px-6' : 'rounded border'}`}
    >
      <p id={noteId} className="mr-auto text-sm text-muted tabular-nums">
        {note}
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </footer>
  );
}
