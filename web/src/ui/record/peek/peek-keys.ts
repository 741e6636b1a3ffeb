import { useEffect, useEffectEvent } from 'react';
import { isInSidePane } from '../../../lib/browser/side-pane.ts';
import { useShortcuts } from '../../../lib/browser/shortcuts.ts';

/** Focuses the row of a record, or else the page, when the row is no longer in the list. */
export function focusRow(id: string): void {
  const row = document.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`);
  const target = row ?? document.querySelector<HTMLElement>('main');
  target?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Elements with an Escape of their own. */
const takesEscape =
  'input:not([type="checkbox"]), textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

interface PeekKeys {
  /** Record of the open pane; undefined: it is closed, or it is a dialog with its own keys. */
  id: string | undefined;
  onClose: () => void;
}

/** Escape closes the pane from the list and from the pane; the focus is then on the record's row. */
export function usePeekKeys({ id, onClose }: PeekKeys): void {
  const run = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (id === undefined || event.key !== 'Escape' || event.defaultPrevented) return;
    if (target?.closest(takesEscape) != null) return;
    const isOnPage = target === document.body || target?.closest('main') != null || isInSidePane(target);
    if (!isOnPage) return;
    event.preventDefault();
    focusRow(id);
    onClose();
  });

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => run(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  useShortcuts('List', [{ keys: 'Esc', label: 'Close the panel and return to its row' }], id !== undefined);
}
