import {
  cloneElement,
  lazy,
  Suspense,
  useId,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { withHandlers } from './with-handlers.ts';

export interface MenuProps {
  /** A `Button` or `IconButton`; opens the menu. */
  trigger: ReactElement<Record<string, unknown>>;
  align?: 'start' | 'end';
  /** `MenuItem`, `MenuLink`, `MenuSeparator`, `MenuRadioGroup`. */
  children: ReactNode;
}

const load = async () => ({ default: (await import('./menu-panel.tsx')).MenuPanel });
const MenuPanel = lazy(load);

/** By what a menu was opened, and on which button. */
export interface MenuOpening {
  readonly button: HTMLElement;
  readonly byKeyboard: boolean;
}

/** Actions behind a button. Every row has some, and few are opened: the menu itself comes when one is wanted. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const id = useId();
  const [opening, setOpening] = useState<MenuOpening>();
  const [open, setOpen] = useState(false);
  const menu = `${id}-menu`;

  function show(button: HTMLElement, byKeyboard: boolean): void {
    setOpening({ button, byKeyboard });
    setOpen(true);
  }

  const button = {
    id,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    'aria-controls': open ? menu : undefined,
    'data-popup-open': open ? '' : undefined,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick({ currentTarget, detail }: MouseEvent<HTMLElement>) {
      // A key on a button is a click of no mouse button.
      if (open) setOpen(false);
      else show(currentTarget, detail === 0);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      show(event.currentTarget, true);
    },
  };
  return (
    <>
      {cloneElement(trigger, withHandlers(trigger.props, button))}
      {opening && (
        <Suspense>
          <MenuPanel id={menu} align={align} opening={opening} open={open} onOpenChange={setOpen}>
            {children}
          </MenuPanel>
        </Suspense>
      )}
    </>
  );
}
