import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

/** What keeps Escape for itself while the focus is in it. */
const ownEscape =
  '[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"],[aria-expanded="true"]';

interface Floating {
  panel: RefObject<HTMLElement | null>;
  /** What takes the focus. */
  title: RefObject<HTMLElement | null>;
  /** What is shown; undefined while it is closed. */
  shown: string | undefined;
  onClose: () => void;
}

/**
 * Focus and Escape of a panel beside a page that stays usable: what is newly shown takes the focus, Escape closes
 * wherever the focus is, and then the focus goes back to where on the page it came from.
 */
export function useFloating({ panel, title, shown, onClose }: Floating): void {
  const opener = useRef<HTMLElement | null>(null);

  useEffect(() => {
    if (shown !== undefined) {
      const active = document.activeElement;
      if (active instanceof HTMLElement && !panel.current?.contains(active)) opener.current = active;
      title.current?.focus();
      return;
    }
    // What was focused in the panel has gone with it.
    if (document.activeElement === document.body && opener.current?.isConnected) opener.current.focus();
    opener.current = null;
  }, [shown, panel, title]);

  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.activeElement?.closest(ownEscape)) return;
    onClose();
  });
  const open = shown !== undefined;
  useEffect(() => {
    if (!open) return undefined;
    const listen = (event: KeyboardEvent) => escape(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [open]);
}
