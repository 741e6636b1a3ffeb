import { ArrowLeft, X } from 'lucide-react';
import { useId, useRef, useState, useEffect, useEffectEvent, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../button/icon-button.tsx';
import { CweDetails } from './cwe-details.tsx';

interface CwePanelProps {
  /** The weakness as it stands on a record, such as CWE-79; null while the panel is closed. */
  value: string | null;
  /** A related weakness was chosen, or the way back: show this one. */
  onOpen: (value: string) => void;
  onClose: () => void;
}

const nothing: Trail = [];

/**
 * Details of a weakness beside the page, which stays usable (spec 2 and 9: at most 520 px wide). Escape closes it and
 * the focus goes back to where it came from.
 */
export function CwePanel({ value, onOpen, onClose }: CwePanelProps) {
  const id = useId();
  const panel = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [trail, setTrail] = useState(nothing);
  const next = followTrail(trail, value);
  if (next !== trail) setTrail(next);
  const shown = next.at(-1);
  const previous = next.at(-2);
  useFloating({ panel, title, shown, onClose });

  if (shown === undefined) return null;
  return createPortal(
    <dialog
      open
      ref={panel}
      aria-labelledby={id}
      className="fixed inset-x-2 top-auto bottom-2 z-30 m-0 flex max-h-[min(80dvh,760px)] w-auto max-w-130 flex-col rounded border bg-raised p-0 text-text shadow-raised sm:right-4 sm:bottom-4 sm:left-auto sm:w-130"
    >
      <div className="flex h-12 shrink-0 items-center gap-2 border-b pr-2 pl-4">
        {previous !== undefined && (
          <IconButton
            label={`Back to ${labelOf(previous)}`}
            icon={<ArrowLeft aria-hidden size={16} />}
            onClick={() => onOpen(previous)}
            className="-ml-2"
          />
        )}
        <h2
          ref={title}
          id={id}
          tabIndex={-1}
          className="grow truncate text-lg font-semibold tabular-nums outline-none"
        >
          {labelOf(shown)}
        </h2>
        <IconButton label="Close" icon={<X aria-hidden size={16} />} onClick={onClose} />
      </div>
      <div className="min-h-0 grow overflow-y-auto">
        <CweDetails key={shown} value={shown} onOpen={onOpen} />
      </div>
    </dialog>,
    document.body,
  );
}

/** As people call it; what is no number stays as it is. */
const labelOf = (value: string): string => (/^\s*\d+\s*$/u.test(value) ? `CWE-${value.trim()}` : value);

/** What a panel has shown since it was opened; the last one is what it shows. Empty: closed. */
type Trail = readonly string[];

/**
 * The trail after the page asked for `value`; the same when nothing changes. A value that was passed before is a way
 * back to it, null the end.
 */
export function followTrail(trail: Trail, value: string | null): Trail {
  if (value === null) return trail.length === 0 ? trail : [];
  if (trail.at(-1) === value) return trail;
  const before = trail.lastIndexOf(value);
  return before === -1 ? [...trail, value] : trail.slice(0, before + 1);
}

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
function useFloating({ panel, title, shown, onClose }: Floating): void {
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
