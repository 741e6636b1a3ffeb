import { Select as Base } from '@base-ui/react/select';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { controlStyle } from '../../input/input-style.ts';
import { SelectPopup } from '../../input/select.tsx';
import type { SelectItem } from './select-field.tsx';

export interface SelectControlProps {
  id: string;
  label: string;
  required: boolean;
  value: string;
  error: string | undefined;
  locked: string | undefined;
  items: readonly SelectItem[];
  hint?: ReactNode;
  onChange: (value: string) => void;
  leave: () => void;
}

/** The select of a field, for controls that offer more than the values of the field. */
export function SelectControl({
  id,
  label,
  required,
  value,
  error,
  locked,
  items,
  hint,
  onChange,
  leave,
}: SelectControlProps) {
  const isKnown = items.some((item) => item.value === value);
  // Nothing is chosen yet, in a field that cannot be left empty.
  const unset = value === '' && !isKnown;
  // A value of another version of the product must not look empty.
  const shown = isKnown || unset ? items : [...items, { value, label: 'Unknown' }];
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      <Base.Root
        items={shown}
        value={value}
        onValueChange={(next) => next !== null && onChange(next)}
        readOnly={locked !== undefined}
        onOpenChange={(open) => !open && leave()}
      >
        <Base.Trigger
          id={id}
          aria-required={required || undefined}
          className={`${controlStyle} inline-flex items-center justify-between gap-2 text-left data-readonly:bg-hover data-readonly:text-muted`}
        >
          <Base.Value
            className={value === '' ? 'truncate text-muted' : 'truncate'}
            {...(unset && { children: `Choose a ${label.toLowerCase()}` })}
          />
          <ChevronDown aria-hidden size={14} className="shrink-0 text-muted" />
        </Base.Trigger>
        <SelectPopup labelledBy={id} items={shown} itemClass="min-h-8 text-base" />
      </Base.Root>
    </Field>
  );
}
