import { Select as Base } from '@base-ui/react/select';
import { Check } from 'lucide-react';
import { useRef } from 'react';
import { focusBack } from '../popup/focus-back.ts';

export interface Choice<Value extends string | number> {
  readonly value: Value;
  readonly label: string;
}

export interface SelectListProps<Value extends string | number> {
  id: string;
  /** Names the list. */
  labelledBy: string;
  /** The button that it hangs on, and that gets the focus back. */
  button: HTMLElement;
  items: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  itemClass: string;
}

/** The part of a select that comes when one is opened for the first time. */
export function SelectList<Value extends string | number>({
  id,
  labelledBy,
  button,
  items,
  value,
  onChange,
  open,
  onOpenChange,
  itemClass,
}: SelectListProps<Value>) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      items={items}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      open={open}
      onOpenChange={onOpenChange}
    >
      <Base.Portal>
        <Base.Positioner anchor={button} alignItemWithTrigger={false} sideOffset={4} className="z-50">
          <Base.Popup
            ref={popup}
            finalFocus={() => focusBack(popup.current, button)}
            className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded border bg-raised p-1 shadow-raised outline-none"
          >
            <Base.List id={id} aria-labelledby={labelledBy}>
              {items.map((item) => (
                <Base.Item
                  key={item.value}
                  value={item.value}
                  className={`grid cursor-default grid-cols-[16px_1fr] items-center gap-2 rounded px-2 outline-none select-none data-highlighted:bg-hover ${itemClass}`}
                >
                  <Base.ItemIndicator className="col-start-1">
                    <Check aria-hidden size={14} />
                  </Base.ItemIndicator>
                  <Base.ItemText className="col-start-2">{item.label}</Base.ItemText>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
