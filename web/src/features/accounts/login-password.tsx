import { Link } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { Button } from '../../ui/button/button.tsx';
import { FormError } from '../../ui/input/form-error.tsx';
import { Input } from '../../ui/input/input.tsx';
import { loneLinkStyle } from '../../ui/button/link-style.ts';
import { PasswordField } from '../../ui/input/password-field.tsx';

interface LoginPasswordProps {
  email: string;
  /** Absent: the address is given. */
  onEmail: ((email: string) => void) | undefined;
  password: string;
  onPassword: (password: string) => void;
  busy: boolean;
  error: string | null;
  onSubmit: () => void;
}

/** Filled when it appears: the person came back from the code, where the focus was. */
function focusOnReturn(element: HTMLInputElement | null): void {
  if (element !== null && element.value !== '') element.focus();
}

/** First step of a login. */
export function LoginPassword({
  email,
  onEmail,
  password,
  onPassword,
  busy,
  error,
  onSubmit,
}: LoginPasswordProps) {
  const empty = email.trim() === '' || password === '';

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!empty && !busy) onSubmit();
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FormError message={error} />
      <Input
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={onEmail === undefined}
        value={email}
        onChange={(value) => onEmail?.(value)}
      />
      <PasswordField
        ref={focusOnReturn}
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={onPassword}
        aside={
          <Link to="/" state={{ forgotten: email.trim() }} className={loneLinkStyle}>
            Forgot your password?
          </Link>
        }
      />
      <Button type="submit" variant="primary" size="lg" disabled={empty} busy={busy}>
        {busy ? 'Logging in…' : 'Log in'}
      </Button>
    </form>
  );
}
