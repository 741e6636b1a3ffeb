import { Field as Base } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { inputStyle } from '../../input/input-style.ts';
import { useField } from '../use-field.ts';

interface TextFieldProps {
  hint?: ReactNode;
  placeholder?: string | undefined;
  autoComplete?: ComponentProps<'input'>['autoComplete'];
  /** An id or a code: in a monospaced font, without spelling correction. */
  code?: boolean;
}

/** A line of text. */
export function TextField({ hint, placeholder, autoComplete = 'off', code = false }: TextFieldProps) {
  const { id, name, label, required, value, error, locked, set, leave } = useField<string>();
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      <Base.Control
        id={id}
        name={name}
        value={value}
        onValueChange={set}
        onBlur={leave}
        placeholder={placeholder}
        autoComplete={autoComplete}
        aria-required={required || undefined}
        readOnly={locked !== undefined}
        {...(code && { autoCapitalize: 'none', spellCheck: false })}
        className={code ? `${inputStyle} font-mono text-sm` : inputStyle}
      />
    </Field>
  );
}
