import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useId, type ReactElement, type ReactNode } from 'react';

interface TooltipProps {
  content: ReactNode;
  /** One element that takes props and a ref; it becomes the trigger. */
  children: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/** A short word on hover and on keyboard focus; never the only place of what one must know. */
export function Tooltip({ content, children, side = 'top' }: TooltipProps) {
  const id = useId();
  return (
    <Base.Root>
      <Base.Trigger delay={400} closeOnClick={false} aria-describedby={id} render={children} />
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
