import { Select as Base } from '@base-ui/react/select';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { controlStyle } from '../../input/input-style.ts';
import { SelectPopup } from '../../input/select.tsx';
import { useField } from '../use-field.ts';

export interface SelectItem {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps {
  items: readonly SelectItem[];
  hint?: ReactNode;
  /** Label of the choice that leaves the field empty; absent: a value is always chosen. */
  blank?: string | undefined;
}

/** One of several fixed values; '' when none is chosen. */
export function SelectField({ items, hint, blank }: SelectFieldProps) {
  const { id, label, required, value, error, locked, set, leave } = useField<string>();
  const all = blank === undefined ? items : [{ value: '', label: blank }, ...items];
  // A value of another version of the product must not look empty.
  const shown = all.some((item) => item.value === value) ? all : [...all, { value, label: 'Unknown' }];
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      <Base.Root
        items={shown}
        value={value}
        onValueChange={(next) => next !== null && set(next)}
        readOnly={locked !== undefined}
        onOpenChange={(open) => !open && leave()}
      >
        <Base.Trigger
          id={id}
          aria-required={required || undefined}
          className={`${controlStyle} inline-flex items-center justify-between gap-2 text-left data-readonly:bg-hover data-readonly:text-muted`}
        >
          <Base.Value className={value === '' ? 'truncate text-muted' : 'truncate'} />
          <ChevronDown aria-hidden size={14} className="shrink-0 text-muted" />
        </Base.Trigger>
        <SelectPopup labelledBy={id} items={shown} itemClass="min-h-8 text-base" />
      </Base.Root>
    </Field>
  );
}
