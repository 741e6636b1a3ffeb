import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

export interface MenuProps {
  /** A `Button` or `IconButton`; opens the menu. */
  trigger: ReactElement;
  align?: 'start' | 'end';
  /** `MenuItem`, `MenuLink`, `MenuSeparator`, `MenuRadioGroup`. */
  children: ReactNode;
}

/** Actions behind a button. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup className="max-h-(--available-height) min-w-44 overflow-y-auto rounded border bg-raised p-1 shadow-raised transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
