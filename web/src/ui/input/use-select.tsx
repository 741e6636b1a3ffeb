import { lazy, Suspense, useId, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import type { SelectListProps } from './select-list.tsx';

const load = async () => ({ default: (await import('./select-list.tsx')).SelectList });
// Whose values they are, only the page knows.
const SelectList = lazy(load) as unknown as <Value extends string | number>(
  props: SelectListProps<Value>,
) => ReactNode;

type SelectSpec<Value extends string | number> = Pick<
  SelectListProps<Value>,
  'items' | 'value' | 'onChange' | 'itemClass' | 'labelledBy'
> & {
  /** It shows its value, and cannot be opened. */
  locked?: boolean;
};

const opening = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

/** A letter is the beginning of a choice's name (APG, Select-Only Combobox). */
const isOpening = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  opening.has(key) || (key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey);

/**
 * A button that shows one of several values and opens the list of them. Most stay closed, so the list comes when one is
 * wanted: `<button {...trigger}>{chosen}</button>{list}`.
 */
export function useSelect<Value extends string | number>({ locked = false, ...spec }: SelectSpec<Value>) {
  const id = useId();
  const [button, setButton] = useState<HTMLElement>();
  const [open, setOpen] = useState(false);
  const { items, value } = spec;

  function show(element: HTMLElement): void {
    if (locked) return;
    setButton(element);
    setOpen(true);
  }

  const trigger = {
    role: 'combobox',
    'aria-haspopup': 'listbox',
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    'aria-readonly': locked || undefined,
    'data-readonly': locked ? '' : undefined,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => (open ? setOpen(false) : show(currentTarget)),
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (!isOpening(event)) return;
      event.preventDefault();
      show(event.currentTarget);
    },
  } as const;

  return {
    open,
    trigger,
    chosen: items.find((item) => item.value === value)?.label,
    list: button !== undefined && (
      <Suspense>
        <SelectList id={id} button={button} open={open} onOpenChange={setOpen} {...spec} />
      </Suspense>
    ),
  };
}
