import { Menu as Base } from '@base-ui/react/menu';
import { useRef, type FocusEvent, type ReactNode } from 'react';
import { focusBack } from './focus-back.ts';
import { MenuParts } from './menu-parts.ts';
import type { MenuOpening } from './menu.tsx';

interface MenuPanelProps {
  id: string;
  align: 'start' | 'end';
  opening: MenuOpening;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

/** The part of a `Menu` that comes when one is wanted. */
export function MenuPanel({ id, align, opening, open, onOpenChange, children }: MenuPanelProps) {
  const { button, byKeyboard } = opening;
  const popup = useRef<HTMLDivElement>(null);
  const greeted = useRef<MenuOpening>(undefined);

  /** Whoever opens it with a key is on its first entry (APG, Menu Button). */
  function greet({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    if (target !== currentTarget || greeted.current === opening) return;
    greeted.current = opening;
    if (byKeyboard) currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
  }

  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Positioner anchor={button} align={align} sideOffset={4} className="z-50">
          <Base.Popup
            id={id}
            aria-labelledby={button.id}
            ref={popup}
            finalFocus={() => focusBack(popup.current, button)}
            onFocus={greet}
            className="max-h-(--available-height) min-w-44 overflow-y-auto rounded border bg-raised p-1 shadow-raised transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <MenuParts value={Base}>{children}</MenuParts>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
