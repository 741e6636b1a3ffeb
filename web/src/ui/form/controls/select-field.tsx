import { lazy, Suspense, type ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { controlStyle } from '../../input/input-style.ts';
import { useField } from '../use-field.ts';
import type { SelectControlProps } from './select-control.tsx';

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
  const { set, ...field } = useField<string>();
  const all = blank === undefined ? items : [{ value: '', label: blank }, ...items];
  return <SelectControl {...field} items={all} hint={hint} onChange={set} />;
}

// Loaded beside the form, which shows its other fields without it.
const loading = import('./select-control.tsx');
const Loaded = lazy(async () => ({ default: (await loading).SelectControl }));

/** The select of a field, for controls that offer more than the values of the field. */
export function SelectControl(props: SelectControlProps) {
  const { label, hint, required } = props;
  return (
    <Suspense
      fallback={
        <Field label={label} hint={hint} error={undefined} required={required}>
          <span aria-hidden className={`${controlStyle} block`} />
        </Field>
      }
    >
      <Loaded {...props} />
    </Suspense>
  );
}
