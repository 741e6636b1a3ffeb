import { accounts, errors } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { ApiError } from '../../lib/api/call-errors.ts';
import { useSignedIn } from '../../lib/session/use-signed-in.ts';
import { LoginCode } from './login-code.tsx';
import { LoginPassword } from './login-password.tsx';

interface LoginFormProps {
  /** Page to go to afterwards. */
  next?: string | undefined;
  /** Joins its organisation with the account of its address. */
  invitation?: { token: string; email: string };
}

const asksForCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second_factor_needed';

/** Text for a failed login (spec 8: the server's message, else the fallback; any thrown failure). */
function messageOf(error: Error | null): string | null {
  if (error === null || asksForCode(error)) return null;
  if (!(error instanceof ApiError)) return errors.internal.fallback;
  return error.code === 'unknown' ? errors.invalid_credentials.fallback : error.message;
}

/**
 * Email and password (spec 2, Login; spec 5, Login), then the code where the account has a second factor: it goes with
 * the email and the password, for the server keeps nothing between the two.
 */
export function LoginForm({ next, invitation }: LoginFormProps) {
  const signedIn = useSignedIn(next);
  const [email, setEmail] = useState(invitation?.email ?? '');
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
    onSuccess: ({ user }) => signedIn(user),
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
