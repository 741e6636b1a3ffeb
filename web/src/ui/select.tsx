import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { Button } from './button.tsx';

export interface SelectProps<Value extends string | number> {
  label: string;
  /** The label is read, not seen. */
  hideLabel?: boolean;
  items: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  size?: 'sm' | 'md';
  disabled?: boolean;
  /** Why it cannot be changed; the value stays reachable by keyboard and tells the reason. */
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
  if (disabledReason !== undefined) {
    const chosen = items.find((item) => item.value === value)?.label;
    return (
      <Button size={size} disabledReason={disabledReason} aria-label={`${label}: ${chosen}`}>
        {chosen}
      </Button>
    );
  }
  return (
    <Base.Root
      items={items}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled}
    >
      <div className="inline-flex items-center gap-2">
        <Base.Label className={hideLabel ? 'sr-only' : 'text-sm text-muted'}>{label}</Base.Label>
        <Base.Trigger
          className={`${heights[size]} inline-flex items-center justify-between gap-2 rounded border border-line-strong bg-surface px-2 tabular-nums transition-colors hover:bg-hover data-disabled:text-muted`}
        >
          <Base.Value />
          <Base.Icon>
            <ChevronDown aria-hidden size={14} className="text-muted" />
          </Base.Icon>
        </Base.Trigger>
      </div>
      <Base.Portal>
        <Base.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-50">
          <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded border bg-raised p-1 shadow-raised outline-none">
            <Base.List>
              {items.map((item) => (
                <Base.Item
                  key={item.value}
                  value={item.value}
                  className="grid min-h-7 cursor-default grid-cols-[16px_1fr] items-center gap-2 rounded px-2 text-sm tabular-nums outline-none select-none data-highlighted:bg-hover"
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
