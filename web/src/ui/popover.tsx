import { Popover as Base } from '@base-ui/react/popover';
import { Suspense, type ReactElement, type ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

export interface PopoverProps {
  /** A `Button` or `IconButton`; opens the panel. */
  trigger: ReactElement;
  /** Names the panel. */
  label: string;
  align?: 'start' | 'end';
  /** Pixels; the screen is the limit. */
  width?: number;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Rendered while it is open; may be lazy. */
  children: ReactNode;
}

/** Controls behind a button, beside the page: it stays usable. Escape and a click elsewhere close it. */
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
          <Base.Popup
            aria-label={label}
            style={{ width }}
            className="flex max-h-(--available-height) max-w-[calc(100vw-16px)] flex-col overflow-y-auto rounded border bg-raised shadow-raised transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <Suspense
              fallback={
                <div className="flex justify-center p-6">
                  <Spinner />
                </div>
              }
            >
              {children}
            </Suspense>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
