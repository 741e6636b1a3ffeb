import { Popover as Base } from '@base-ui/react/popover';
import { Suspense } from 'react';
import type { PopoverProps } from './popover.tsx';
import { Spinner } from '../feedback/spinner.tsx';

/** The part of a `Popover` that comes when it is first opened. */
export function PopoverPanel({
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
