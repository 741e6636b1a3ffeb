import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useId, type ReactElement, type ReactNode } from 'react';

interface TooltipProps {
  content: ReactNode;
  /** One element that takes props; it becomes the trigger. */
  children: ReactElement<Record<string, unknown>>;
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** Stays open when its element is clicked: it says why the click does nothing. */
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

/**
 * A short text on hover and on keyboard focus; never the only source of what a user must know. A click closes it, so
 * that it does not cover what the click opens.
 */
export function Tooltip({ content, children, side = 'top', isReason = false }: TooltipProps) {
  const id = useId();
  return (
    <Base.Root>
      <Base.Trigger render={children} closeOnClick={!isReason} aria-describedby={id} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup
            id={id}
            role="tooltip"
            className="max-w-80 rounded border bg-raised px-2 py-1 text-xs text-text shadow-raised transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
