import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../button/button.tsx';
import type { Choice } from './select-list.tsx';
import { useSelect } from './use-select.tsx';

export interface SelectProps<Value extends string | number> {
  label: string;
  /** The label is read, not seen. */
  hideLabel?: boolean;
  items: readonly Choice<Value>[];
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
  const id = useId();
  const { trigger, chosen, list } = useSelect({
    items,
    value,
    onChange,
    labelledBy: id,
    itemClass: 'min-h-7 text-sm tabular-nums',
  });
  if (disabledReason !== undefined) {
    return (
      <Button size={size} disabledReason={disabledReason} aria-label={`${label}: ${chosen}`}>
        {chosen}
      </Button>
    );
  }
  return (
    <div className="inline-flex items-center gap-2">
      <span id={id} className={hideLabel ? 'sr-only' : 'text-sm text-muted'}>
        {label}
      </span>
      <button
        type="button"
        {...trigger}
        aria-labelledby={id}
        disabled={disabled}
        className={`${heights[size]} inline-flex items-center justify-between gap-2 rounded border border-line-strong bg-surface px-2 tabular-nums transition-colors hover:bg-hover disabled:text-muted`}
      >
        <span>{chosen}</span>
        <ChevronDown aria-hidden size={14} className="text-muted" />
      </button>
      {list}
    </div>
  );
}
