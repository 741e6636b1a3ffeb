import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import { inputStyle } from './input-style.ts';

export interface InputProps
  extends
    FieldProps,
    Omit<ComponentProps<'input'>, 'className' | 'style' | 'onChange' | 'value' | 'defaultValue'> {
  value: string;
  onChange: (value: string) => void;
}

/** A labelled text input. */
export function Input({ label, hint, error, aside, optional, onChange, ...props }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} optional={optional}>
      <BaseField.Control {...props} onValueChange={onChange} className={inputStyle} />
    </Field>
  );
}
