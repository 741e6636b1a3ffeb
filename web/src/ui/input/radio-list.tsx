import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useId, type ReactNode } from 'react';

export interface RadioItem<Value extends string> {
  value: Value;
  label: string;
  description?: string;
  /** Beside the label. */
  badge?: ReactNode;
  /** Why it cannot be chosen; replaces the description. */
  disabledReason?: string | undefined;
}

interface RadioListProps<Value extends string> {
  label: string;
  items: readonly RadioItem<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** Called when Enter is pressed on an item; absent: Enter does nothing. */
  onEnter?: () => void;
}

/** A radio list whose items have descriptions. */
export function RadioList<Value extends string>({
  label,
  items,
  value,
  onChange,
  onEnter,
}: RadioListProps<Value>) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <span id={id} className="text-sm font-medium">
        {label}
      </span>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onValueChange={onChange}
        onKeyDown={({ key }) => key === 'Enter' && onEnter?.()}
        className="flex flex-col divide-y rounded border"
      >
        {items.map((item) => (
          <RadioRow key={item.value} item={item} />
        ))}
      </RadioGroup>
    </div>
  );
}

function RadioRow({ item }: { item: RadioItem<string> }) {
  const id = useId();
  const refused = item.disabledReason !== undefined;
  const more = item.disabledReason ?? item.description;
  const described = [
    ...(item.badge === undefined ? [] : [`${id}-badge`]),
    ...(more === undefined ? [] : [`${id}-more`]),
  ];
  return (
    <label className="flex items-start gap-3 px-3 py-2 has-data-disabled:text-muted">
      <Radio.Root
        value={item.value}
        disabled={refused}
        aria-labelledby={`${id}-label`}
        aria-describedby={described.length === 0 ? undefined : described.join(' ')}
        className="relative mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface transition-colors before:absolute before:-inset-1 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <Radio.Indicator className="size-1.5 rounded-full bg-on-accent forced-colors:bg-[ButtonText]" />
      </Radio.Root>
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2">
          <span id={`${id}-label`} className="text-base wrap-anywhere">
            {item.label}
          </span>
          {item.badge !== undefined && <span id={`${id}-badge`}>{item.badge}</span>}
        </span>
        {more !== undefined && (
          <span id={`${id}-more`} className="block text-sm text-muted">
            {more}
          </span>
        )}
      </span>
    </label>
  );
}
