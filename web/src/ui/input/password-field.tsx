import { Field as BaseField } from '@base-ui/react/field';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Field } from './field.tsx';
import type { InputProps } from './input.tsx';
import { inputStyle } from './input-style.ts';

interface PasswordFieldProps extends Omit<InputProps, 'type'> {
  /** Whether the password is shown, when the `PasswordToggle` is elsewhere; absent: the toggle is in the field. */
  shown?: boolean;
}

/** A password field with a toggle to show it. Pasting and password managers work (WCAG 3.3.8). */
export function PasswordField({
  label,
  hint,
  error,
  aside,
  optional,
  shown,
  onChange,
  ...props
}: PasswordFieldProps) {
  const [toggled, setToggled] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} aside={aside} optional={optional}>
      <div className="relative">
        <BaseField.Control
          {...props}
          type={(shown ?? toggled) ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onValueChange={onChange}
          className={`${inputStyle} pr-10`}
        />
        {shown === undefined && (
          <div className="absolute inset-y-0 right-0 flex">
            <PasswordToggle shown={toggled} onShown={setToggled} />
          </div>
        )}
      </div>
    </Field>
  );
}

interface PasswordToggleProps {
  shown: boolean;
  onShown: (shown: boolean) => void;
}

/** Shows or hides a password. */
export function PasswordToggle({ shown, onShown }: PasswordToggleProps) {
  const Icon = shown ? EyeOff : Eye;
  return (
    <button
      type="button"
      aria-label={shown ? 'Hide password' : 'Show password'}
      aria-pressed={shown}
      onClick={() => onShown(!shown)}
      className="flex w-9 items-center justify-center rounded text-muted hover:text-text"
    >
      <Icon aria-hidden size={16} />
    </button>
  );
}
