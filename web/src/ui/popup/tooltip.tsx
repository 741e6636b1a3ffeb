import { cloneElement, lazy, Suspense, useId, type ReactElement, type ReactNode } from 'react';
import { useTooltip } from './use-tooltip.ts';
import { withHandlers } from './with-handlers.ts';

interface TooltipProps {
  content: ReactNode;
  /** One element that takes props; it becomes the trigger. */
  children: ReactElement<Record<string, unknown>>;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

const TooltipPopup = lazy(async () => ({ default: (await import('./tooltip-popup.tsx')).TooltipPopup }));

/**
 * A short word on hover and on keyboard focus; never the only place of what one must know. Hundreds stand on a page and
 * few are read: the popup comes with the first one.
 */
export function Tooltip({ content, children, side = 'top' }: TooltipProps) {
  const id = useId();
  const { anchor, trigger, popup, close } = useTooltip();
  return (
    <>
      {cloneElement(children, withHandlers(children.props, { ...trigger, 'aria-describedby': id }))}
      {anchor !== null && (
        <Suspense>
          <TooltipPopup id={id} anchor={anchor} side={side} onClose={close} {...popup}>
            {content}
          </TooltipPopup>
        </Suspense>
      )}
    </>
  );
}
