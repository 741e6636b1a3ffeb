import { Field as BaseField } from '@base-ui/react/field';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Field } from './field.tsx';
import type { InputProps } from './input.tsx';
import { inputStyle } from './input-style.ts';

/** A password field with a toggle to show it. Pasting and password managers work (WCAG 3.3.8). */
export function PasswordField({
  label,
  hint,
  error,
  aside,
  optional,
  onChange,
  ...props
}: Omit<InputProps, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field label={label} hint={hint} error={error} aside={aside} optional={optional}>
      <div className="relative">
        <BaseField.Control
          {...props}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onValueChange={onChange}
          className={`${inputStyle} pr-10`}
        />
        <button
          type="button"
          aria-label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded text-muted hover:text-text"
        >
          <Icon aria-hidden size={16} />
        </button>
      </div>
    </Field>
  );
}
