import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import { inputStyle } from './input-style.ts';
import { useReadOnly } from './read-only.ts';

export interface InputProps
  extends
    FieldProps,
    Omit<ComponentProps<'input'>, 'className' | 'style' | 'onChange' | 'value' | 'defaultValue'> {
  value: string;
  onChange: (value: string) => void;
}

/** A labelled text input. */
export function Input({ label, hint, error, aside, optional, readOnly, onChange, ...props }: InputProps) {
  const isReadOnly = useReadOnly(readOnly);
  return (
    <Field label={label} hint={hint} error={error} aside={aside} optional={optional}>
      <BaseField.Control {...props} readOnly={isReadOnly} onValueChange={onChange} className={inputStyle} />
    </Field>
  );
}
