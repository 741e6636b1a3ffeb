import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Field } from '../field.tsx';
import { controlStyle } from '../input-style.ts';
import { useField } from './use-field.ts';

export interface SelectItem {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps {
  items: readonly SelectItem[];
  hint?: ReactNode;
  /** Nothing may be chosen: how that reads. */
  blank?: string;
}

/** One of several fixed values; the empty text stands for none. */
export function SelectField({ items, hint, blank }: SelectFieldProps) {
  const { id, name, label, required, value, error, locked, set, leave } = useField<string>();
  const all = blank === undefined ? items : [{ value: '', label: blank }, ...items];
  // What somebody else wrote, or a later version of the product: it must not read as nothing.
  const shown = all.some((item) => item.value === value) ? all : [...all, { value, label: 'Unknown' }];
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      <Base.Root
        items={shown}
        name={name}
        value={value}
        onValueChange={(next) => next !== null && set(next)}
        readOnly={locked !== undefined}
      >
        <Base.Trigger
          id={id}
          onBlur={leave}
          aria-required={required || undefined}
          className={`${controlStyle} inline-flex items-center justify-between gap-2 text-left data-readonly:bg-hover data-readonly:text-muted`}
        >
          <Base.Value className={value === '' ? 'truncate text-muted' : 'truncate'} />
          <Base.Icon>
            <ChevronDown aria-hidden size={14} className="text-muted" />
          </Base.Icon>
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-50">
            <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded border bg-raised p-1 shadow-raised outline-none">
              <Base.List>
                {shown.map((item) => (
                  <Base.Item
                    key={item.value}
                    value={item.value}
                    className="grid min-h-8 cursor-default grid-cols-[16px_1fr] items-center gap-2 rounded px-2 text-base outline-none select-none data-highlighted:bg-hover"
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
    </Field>
  );
}
