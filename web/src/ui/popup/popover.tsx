import { cloneElement, useRef, useState, type ReactElement, type ReactNode, type RefObject } from 'react';
import { idlePart } from '../layout/idle-part.tsx';
import type { AnchoredPopoverProps } from './anchored-popover.tsx';

const { Part: AnchoredPopover, useIdleLoad } = idlePart<AnchoredPopoverProps>(
  async () => (await import('./anchored-popover.tsx')).AnchoredPopover,
  null,
);

interface TriggerProps {
  ref?: RefObject<HTMLButtonElement | null>;
  onClick?: () => void;
  'aria-haspopup'?: 'dialog';
  'aria-expanded'?: boolean;
  'data-popup-open'?: '';
}

export interface PopoverProps {
  /** A button; opens the panel. */
  trigger: ReactElement<TriggerProps>;
  /** Names the panel. */
  label: string;
  align?: 'start' | 'end';
  /** Pixels; limited by the screen. */
  width?: number;
  onOpenChange?: (open: boolean) => void;
  /** Mounted while it is open. */
  children: ReactNode;
}

/**
 * Controls behind a button; the page stays usable. Escape and a click outside close it. The button loads with the page,
 * the panel when the browser is idle.
 */
export function Popover({ trigger, label, align, width = 288, onOpenChange, children }: PopoverProps) {
  useIdleLoad();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  function set(next: boolean): void {
    setIsOpen(next);
    onOpenChange?.(next);
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        onClick: () => set(!isOpen),
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
        ...(isOpen && { 'data-popup-open': '' }),
      })}
      {isOpen && (
        <AnchoredPopover label={label} anchor={anchor} align={align} width={width} onClose={() => set(false)}>
          {children}
        </AnchoredPopover>
      )}
    </>
  );
}
