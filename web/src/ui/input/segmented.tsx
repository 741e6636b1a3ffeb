import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';

interface SegmentedProps<Value extends string> {
  /** Name of the group for screen readers. */
  label: string;
  items: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A choice between two or three options, shown side by side. */
export function Segmented<Value extends string>({ label, items, value, onChange }: SegmentedProps<Value>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={onChange}
      className="flex rounded border border-line-strong bg-sunken p-0.5"
    >
      {items.map((item) => (
        <Radio.Root
          key={item.value}
          value={item.value}
          aria-label={item.label}
          render={<div />}
          className="flex h-7 grow cursor-pointer items-center justify-center rounded px-2 text-sm whitespace-nowrap text-muted transition-colors hover:text-text data-checked:bg-surface data-checked:font-medium data-checked:text-text data-checked:outline data-checked:outline-1 data-checked:outline-line-strong focus-visible:outline-2 focus-visible:outline-focus"
        >
          {item.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
