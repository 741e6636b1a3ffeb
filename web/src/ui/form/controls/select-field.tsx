import type { ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { controlStyle } from '../../input/input-style.ts';
import { lazyPart } from '../../layout/lazy-part.tsx';
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

/** The select of a field, for controls that offer more than the values of the field. */
export const SelectControl = lazyPart(
  async () => (await import('./select-control.tsx')).SelectControl,
  ({ label, hint, required }: SelectControlProps) => (
    <Field label={label} hint={hint} error={undefined} required={required}>
      <span aria-hidden className={`${controlStyle} block`} />
    </Field>
  ),
);

// Loaded beside the form, which shows its other fields without it. A failed load is repeated when the select is shown.
void SelectControl.load().catch(() => undefined);
