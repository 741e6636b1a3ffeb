import { accounts, errors } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { ApiError } from '../../lib/api/errors.ts';
import { call } from '../../lib/api/call.ts';
import { useSignedIn } from '../../lib/session/use-session-change.ts';
import { Button } from '../../ui/button/button.tsx';
import { loneLinkStyle } from '../../ui/button/link-style.ts';
import { FormError } from '../../ui/input/form-error.tsx';
import { Input } from '../../ui/input/input.tsx';
import { PasswordField, PasswordToggle } from '../../ui/input/password-field.tsx';
import { LoginCode } from './login-code.tsx';

interface LoginFormProps {
  /** Page to open after the login. */
  next?: string | undefined;
  /** Address of the account that was signed in before. */
  email?: string | undefined;
  /** The login also accepts this invitation; its address is fixed. */
  invitation?: { token: string; email: string };
}

const asksForCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second_factor_needed';

/** Text for a failed login (spec 8): the server's message, else the fallback; another text for a thrown failure. */
function messageOf(error: Error | null): string | null {
  if (error === null || asksForCode(error)) return null;
  if (!(error instanceof ApiError)) return errors.internal.fallback;
  return error.code === 'unknown' ? errors.invalid_credentials.fallback : error.message;
}

/**
 * Email and password (spec 2, Login; spec 5, Login), then the code if the account has a second factor. The code is sent
 * together with email and password, because the server keeps no state between the two steps.
 */
export function LoginForm({ next, email: known = '', invitation }: LoginFormProps) {
  const signedIn = useSignedIn(next);
  const [email, setEmail] = useState(invitation?.email ?? known);
  const [password, setPassword] = useState('');
  const [codeNeeded, setCodeNeeded] = useState(false);
  const login = useMutation({
    mutationFn: (code: string | undefined) =>
      call(accounts.login, {
        body: {
          email: email.trim(),
          password,
          ...(code !== undefined && { code }),
          ...(invitation !== undefined && { invitation: invitation.token }),
        },
      }),
    onSuccess: ({ user }) => void signedIn(user),
    onError: (error) => asksForCode(error) && setCodeNeeded(true),
  });

  if (codeNeeded) {
    return (
      <LoginCode
        busy={login.isPending}
        error={messageOf(login.error)}
        onSubmit={login.mutate}
        onSwitch={login.reset}
        onBack={() => {
          login.reset();
          setCodeNeeded(false);
        }}
      />
    );
  }
  return (
    <LoginPassword
      email={email}
      onEmail={invitation === undefined ? setEmail : undefined}
      password={password}
      onPassword={setPassword}
      busy={login.isPending}
      error={messageOf(login.error)}
      onSubmit={() => login.mutate(undefined)}
    />
  );
}

interface LoginPasswordProps {
  email: string;
  /** Undefined makes the field read-only. */
  onEmail: ((email: string) => void) | undefined;
  password: string;
  onPassword: (password: string) => void;
  busy: boolean;
  error: string | null;
  onSubmit: () => void;
}

/** First step of a login. */
function LoginPassword({ email, onEmail, password, onPassword, busy, error, onSubmit }: LoginPasswordProps) {
  const empty = email.trim() === '' || password === '';
  const [shown, setShown] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  // The first field to fill: the email, or the password when the email is known.
  useEffect(() => {
    const inputs = form.current?.querySelectorAll('input');
    const [emailInput, passwordInput] = inputs ?? [];
    const first = emailInput?.value === '' ? emailInput : passwordInput;
    first?.focus();
  }, []);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!empty && !busy) onSubmit();
  }

  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
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
      {/* The Tab key leads from the email to the password to the button; what is used rarely comes after. */}
      <div className="relative flex flex-col gap-4">
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          shown={shown}
          value={password}
          onChange={onPassword}
        />
        <Button type="submit" variant="primary" size="lg" disabled={empty} busy={busy}>
          {busy ? 'Logging in…' : 'Log in'}
        </Button>
        <div className="absolute top-6 right-0 flex h-9">
          <PasswordToggle shown={shown} onShown={setShown} />
        </div>
      </div>
      <Link to="/" state={{ forgotten: email.trim() }} className={`${loneLinkStyle} self-center text-sm`}>
        Forgot your password?
      </Link>
    </form>
  );
}
