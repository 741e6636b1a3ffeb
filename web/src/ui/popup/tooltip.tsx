import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useId, useRef, useState, type PointerEvent, type ReactElement, type ReactNode } from 'react';
import { useHoverOver } from './use-hover-over.ts';

interface TooltipProps {
  content: ReactNode;
  /** One element that takes props; it becomes the trigger. */
  children: ReactElement<Record<string, unknown>>;
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** Opens only when the text of the trigger is cut. */
  onlyWhenCut?: boolean;
  /** It says why a click does nothing: it stays open when its element is clicked, and a tap opens it. */
  isReason?: boolean;
}

/** Milliseconds of hovering until a tooltip opens. */
const openDelay = 400;

/** Milliseconds until it closes: long enough to move the pointer onto its text (WCAG 1.4.13). */
const closeDelay = 100;

/** After one tooltip has opened, the next ones open at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider delay={openDelay} closeDelay={closeDelay}>
      {children}
    </Base.Provider>
  );
}

const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean =>
  scrollWidth > clientWidth || scrollHeight > clientHeight;

/**
 * A short text on hover and on keyboard focus; never the only source of what a user must know. It covers nothing that is
 * clicked: a click closes it, and clicks on it go to what is below.
 */
export function Tooltip({
  content,
  children,
  side = 'top',
  onlyWhenCut = false,
  isReason = false,
}: TooltipProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const hoversPopup = useHoverOver(popup, { open, onLeave: () => setOpen(false) });

  function onOpenChange(next: boolean, { reason, trigger, cancel }: Base.Root.ChangeEventDetails): void {
    const unneeded = next && onlyWhenCut && trigger !== undefined && !isCut(trigger);
    const wanted = !next && reason === 'trigger-hover' && hoversPopup();
    if (unneeded || wanted) cancel();
    else setOpen(next);
  }

  /** Base UI opens tooltips for a mouse and the keyboard only. */
  function onPointerUp({ pointerType }: PointerEvent): void {
    if (isReason && pointerType !== 'mouse') setOpen(true);
  }

  // A reason describes its element also while the popup is not in the document.
  const described = isReason && typeof content === 'string';
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} disableHoverablePopup>
      <Base.Trigger
        render={children}
        closeOnClick={!isReason}
        onPointerUp={onPointerUp}
        aria-describedby={onlyWhenCut || described ? undefined : id}
        aria-description={described ? content : undefined}
      />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="pointer-events-none z-50">
          <Base.Popup
            ref={popup}
            id={id}
            role="tooltip"
            className="max-w-80 rounded border bg-raised px-2 py-1 text-xs wrap-anywhere text-text shadow-raised transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
