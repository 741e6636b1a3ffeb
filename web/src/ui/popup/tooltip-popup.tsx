import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';

interface TooltipPopupProps {
  id: string;
  anchor: Element;
  side: 'top' | 'bottom' | 'left' | 'right';
  onClose: () => void;
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  children: ReactNode;
}

/** The part of a `Tooltip` that comes when one is read for the first time. */
export function TooltipPopup({ id, anchor, side, onClose, children, ...handlers }: TooltipPopupProps) {
  return (
    <Base.Root
      open
      onOpenChange={(_open, { event }) => {
        // Pressing what it explains does not end the explanation.
        if (!(event.target instanceof Node && anchor.contains(event.target)) || event.type === 'keydown')
          onClose();
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={anchor} side={side} sideOffset={6} className="z-50" {...handlers}>
          <Base.Popup
            id={id}
            role="tooltip"
            className="max-w-80 rounded border bg-raised px-2 py-1 text-xs text-text shadow-raised transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
