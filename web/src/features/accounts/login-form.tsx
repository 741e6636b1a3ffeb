import { accounts, errors } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../lib/call.ts';
import { ApiError } from '../../lib/call-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import { loneLinkStyle } from '../../ui/link-style.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useSignIn } from './use-sign-in.ts';

/** Text for a failed login (spec 8: the server's message, else the fallback; any thrown failure). */
function messageOf(error: Error | null): string | null {
  if (error === null) return null;
  if (!(error instanceof ApiError)) return errors.internal.fallback;
  return error.code === 'unknown' ? errors.invalid_credentials.fallback : error.message;
}

/** Email and password (spec 2, Login; spec 5, Login). */
export function LoginForm({ next }: { next?: string | undefined }) {
  const signIn = useSignIn(next);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const login = useMutation({
    mutationFn: () => call(accounts.login, { body: { email: email.trim(), password } }),
    onSuccess: ({ user }) => signIn(user),
  });
  const empty = email.trim() === '' || password === '';

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!empty && !login.isPending) login.mutate();
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FormError message={messageOf(login.error)} />
      <Input
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={setEmail}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        aside={
          <Link to="/" className={loneLinkStyle}>
            Forgot your password?
          </Link>
        }
      />
      <Button type="submit" variant="primary" size="lg" disabled={empty} busy={login.isPending}>
        {login.isPending ? 'Logging in…' : 'Log in'}
      </Button>
    </form>
  );
}
