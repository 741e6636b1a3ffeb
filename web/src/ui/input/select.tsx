import { Select as Base } from '@base-ui/react/select';
import type { BaseUIEvent } from '@base-ui/react/types';
import { Check, ChevronDown } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { ButtonWithReason } from '../button/button-with-reason.tsx';

export interface Choice<Value extends string | number> {
  readonly value: Value;
  readonly label: string;
}

export interface SelectProps<Value extends string | number> {
  label: string;
  /** Only screen readers get the label. */
  hideLabel?: boolean;
  items: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  size?: 'sm' | 'md';
  disabled?: boolean;
  /** Why the value cannot be changed; it stays reachable by keyboard and shows the reason. */
  disabledReason?: string | undefined;
}

const heights = { sm: 'h-7 text-sm', md: 'h-9 text-base' } as const;

/** One of several fixed values. */
export function Select<Value extends string | number>({
  label,
  hideLabel = false,
  items,
  value,
  onChange,
  size = 'md',
  disabled = false,
  disabledReason,
}: SelectProps<Value>) {
  const id = useId();
  const [open, setOpen] = useState(false);

  /**
   * A typed character on the closed select would choose an item at once, and many selects act on the choice; it opens
   * the list instead.
   */
  function openOnCharacter(event: BaseUIEvent<KeyboardEvent>): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
    event.preventBaseUIHandler();
    setOpen(true);
  }

  if (disabledReason !== undefined) {
    const chosen = items.find((item) => item.value === value)?.label;
    return (
      <ButtonWithReason size={size} disabledReason={disabledReason} aria-label={`${label}: ${chosen}`}>
        {chosen}
      </ButtonWithReason>
    );
  }
  return (
    <div className="inline-flex items-center gap-2">
      <span id={id} className={hideLabel ? 'sr-only' : 'text-sm text-muted'}>
        {label}
      </span>
      <Base.Root
        items={items}
        value={value}
        onValueChange={(next) => next !== null && onChange(next)}
        disabled={disabled}
        open={open}
        onOpenChange={setOpen}
      >
        <Base.Trigger
          aria-labelledby={id}
          onKeyDown={openOnCharacter}
          className={`${heights[size]} inline-flex items-center justify-between gap-2 rounded border border-line-strong bg-surface px-2 tabular-nums transition-colors hover:bg-hover disabled:text-muted`}
        >
          <Base.Value />
          <ChevronDown aria-hidden size={14} className="text-muted" />
        </Base.Trigger>
        <SelectPopup labelledBy={id} items={items} itemClass="min-h-7 text-sm tabular-nums" />
      </Base.Root>
    </div>
  );
}

interface SelectPopupProps {
  /** Id of the element that names the list. */
  labelledBy: string;
  items: readonly Choice<string | number>[];
  itemClass: string;
}

/** The list of a Base UI select, for controls with their own trigger. */
export function SelectPopup({ labelledBy, items, itemClass }: SelectPopupProps) {
  return (
    <Base.Portal>
      <Base.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-50">
        <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded border bg-raised p-1 shadow-raised outline-none">
          <Base.List aria-labelledby={labelledBy}>
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
  );
}
