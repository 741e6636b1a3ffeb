import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';

const popupStyle =
  'flex max-h-(--available-height) max-w-[calc(100vw-16px)] flex-col overflow-y-auto rounded border bg-raised shadow-raised transition-opacity outline-none data-ending-style:opacity-0';

export interface AnchoredPopoverProps {
  /** Names the panel. */
  label: string;
  /** Where it opens; it receives the focus afterwards. */
  anchor: RefObject<HTMLElement | null>;
  align?: 'start' | 'end';
  /** Pixels; limited by the screen. */
  width?: number;
  onClose: () => void;
  /** Absent: the first control of the panel. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** A panel that is open while it is rendered, for a button that is loaded before the panel. */
export function AnchoredPopover({
  label,
  anchor,
  align = 'start',
  width = 256,
  onClose,
  initialFocus,
  children,
}: AnchoredPopoverProps) {
  function onOpenChange(open: boolean, { event }: { event: Event }): void {
    // A press of the anchor is its own: it closes the panel by its click.
    const isAnchor = event.target instanceof Node && anchor.current?.contains(event.target) === true;
    if (!open && !(isAnchor && event.type !== 'keydown')) onClose();
  }

  return (
    <Base.Root open onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          // A panel that is too tall scrolls; to the left or right of its button it would cover the top bar.
          collisionAvoidance={{ fallbackAxisSide: 'none' }}
          className="z-50"
        >
          <Base.Popup
            aria-label={label}
            initialFocus={initialFocus}
            finalFocus={anchor}
            style={{ width }}
            className={popupStyle}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
