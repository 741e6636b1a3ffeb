import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode, RefObject } from 'react';

export interface PopoverProps {
  /** A button; opens the panel. */
  trigger: ReactElement;
  /** Names the panel. */
  label: string;
  align?: 'start' | 'end';
  /** Pixels; limited by the screen. */
  width?: number;
  /** With `onOpenChange`, for a parent that controls the popover; absent: it controls itself. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Mounted while it is open. */
  children: ReactNode;
}

const popupStyle =
  'flex max-h-(--available-height) max-w-[calc(100vw-16px)] flex-col overflow-y-auto rounded border bg-raised shadow-raised transition-opacity outline-none data-ending-style:opacity-0';

/** Controls behind a button; the page stays usable. Escape and a click outside close it. */
export function Popover({
  trigger,
  label,
  align = 'start',
  width = 288,
  open,
  onOpenChange,
  children,
}: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} collisionPadding={8} className="z-30">
          <Base.Popup aria-label={label} style={{ width }} className={popupStyle}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface AnchoredPopoverProps {
  /** Names the panel. */
  label: string;
  /** Where it opens; it receives the focus afterwards. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  initialFocus: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** A panel that is open while it is rendered, for a button that is loaded before the panel. */
export function AnchoredPopover({ label, anchor, onClose, initialFocus, children }: AnchoredPopoverProps) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="start" sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup
            aria-label={label}
            initialFocus={initialFocus}
            finalFocus={anchor}
            style={{ width: 256 }}
            className={popupStyle}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
