import { Field as Base } from '@base-ui/react/field';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Field } from '../input/field.tsx';
import { controlStyle } from '../input/input-style.ts';
import { useSelect } from '../input/use-select.tsx';
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
  const { open, trigger, chosen, list } = useSelect({
    items: shown,
    value,
    onChange: set,
    labelledBy: id,
    itemClass: 'min-h-8 text-base',
    locked: locked !== undefined,
  });
  return (
    <>
      <Field label={label} hint={hint} error={error} required={required}>
        <Base.Control
          id={id}
          name={name}
          aria-required={required || undefined}
          // While the list is open the focus is in it, and the field not left yet.
          onBlur={() => !open && leave()}
          className={`${controlStyle} inline-flex items-center justify-between gap-2 text-left data-readonly:bg-hover data-readonly:text-muted`}
          render={
            <button type="button" {...trigger}>
              <span className={value === '' ? 'truncate text-muted' : 'truncate'}>{chosen}</span>
              <ChevronDown aria-hidden size={14} className="shrink-0 text-muted" />
            </button>
          }
        />
      </Field>
      {list}
    </>
  );
}
