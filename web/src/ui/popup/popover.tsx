import {
  cloneElement,
  lazy,
  Suspense,
  useState,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
} from 'react';

export interface PopoverProps {
  /** A button; opens the panel. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** Names the panel. */
  label: string;
  align?: 'start' | 'end';
  /** Pixels; the screen is the limit. */
  width?: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Rendered while it is open; may be lazy. */
  children: ReactNode;
}

const load = async () => ({ default: (await import('./popover-panel.tsx')).PopoverPanel });
const PopoverPanel = lazy(load);

/**
 * Controls behind a button, beside the page: it stays usable. Escape and a click elsewhere close it. A table has one in
 * every head: until it is opened for the first time it is a button and nothing more.
 */
export function Popover({
  open: given,
  onOpenChange: tell,
  ...props
}: Omit<PopoverProps, 'open' | 'onOpenChange'> & Partial<Pick<PopoverProps, 'open' | 'onOpenChange'>>) {
  const [own, setOwn] = useState(false);
  const [wanted, setWanted] = useState(false);

  function onOpenChange(next: boolean): void {
    setOwn(next);
    setWanted(true);
    tell?.(next);
  }

  const button = cloneElement(props.trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: () => void load(),
    onClick: () => onOpenChange(true),
  });
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <PopoverPanel {...props} open={given ?? own} onOpenChange={onOpenChange} />
    </Suspense>
  );
}
