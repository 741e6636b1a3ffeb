import { ArrowLeft, X } from 'lucide-react';
import { useId, useRef, useState, useEffect, useEffectEvent, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../button/icon-button.tsx';
import { CweDetails } from './cwe-details.tsx';

export interface CwePanelProps {
  /** The weakness as written in a record, such as CWE-79; null while the panel is closed. */
  value: string | null;
  /** Called when a related weakness or Back is chosen. */
  onOpen: (value: string) => void;
  onClose: () => void;
}

const nothing: Trail = [];

/**
 * Panel with details of a weakness next to the page, which stays usable (spec 2 and 9: at most 520 px wide). Escape
 * closes it and returns the focus.
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

/** 'CWE-79' for '79'; other texts are unchanged. */
const labelOf = (value: string): string => (/^\s*\d+\s*$/u.test(value) ? `CWE-${value.trim()}` : value);

/** The weaknesses shown since the panel was opened; the last one is current. Empty while closed. */
type Trail = readonly string[];

/**
 * The trail after `value` was opened; the same object when nothing changes. A value that is already in the trail goes
 * back to it; null closes the panel.
 */
export function followTrail(trail: Trail, value: string | null): Trail {
  if (value === null) return trail.length === 0 ? trail : [];
  if (trail.at(-1) === value) return trail;
  const before = trail.lastIndexOf(value);
  return before === -1 ? [...trail, value] : trail.slice(0, before + 1);
}

/** Elements that handle Escape themselves while they contain the focus. */
const ownEscape =
  '[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"],[aria-expanded="true"]';

interface Floating {
  panel: RefObject<HTMLElement | null>;
  /** Element that receives the focus. */
  title: RefObject<HTMLElement | null>;
  /** The weakness shown; undefined while the panel is closed. */
  shown: string | undefined;
  onClose: () => void;
}

/**
 * Focus and Escape of a non-modal panel: new content receives the focus, Escape closes the panel from anywhere, and
 * the focus then returns to the opener.
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
    // The focused element of the panel has been removed with it.
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
