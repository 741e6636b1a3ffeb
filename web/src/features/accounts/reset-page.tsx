import { passwords } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { formRefusal } from '../../lib/form-refusal.ts';
import { loadSchemas, schemasNow } from '../../lib/schemas.ts';
import { useSignedOut } from '../../lib/session/use-session-change.ts';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { Button } from '../../ui/button/button.tsx';
import { linkStyle } from '../../ui/button/link-style.ts';
import { FormError } from '../../ui/input/form-error.tsx';
import { PasswordField } from '../../ui/input/password-field.tsx';
import { PasswordMeter } from '../../ui/input/password-meter.tsx';
import { AuthFrame } from './auth-frame.tsx';

interface ResetPageProps {
  /** Secret of the mailed link; absent when the address had none. */
  token: string | undefined;
}

/** A new password by a mailed link; a link that is used up leads to a new one. */
export function ResetPage({ token }: ResetPageProps) {
  const [spent, setSpent] = useState<string | null>(
    token === undefined
      ? 'This link is not complete. Open it from the mail again, or ask for a new one.'
      : null,
  );
  const footer = (
    <Link to="/login" className={linkStyle}>
      Log in
    </Link>
  );
  if (token === undefined || spent !== null) {
    return (
      <AuthFrame title="Set a new password" footer={footer}>
        <p role="alert" className="text-sm">
          {spent}
        </p>
        <Link to="/" state={{ forgotten: '' }} className={buttonStyle({ variant: 'primary', size: 'lg' })}>
          Ask for a new link
        </Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Set a new password"
      description="You will be logged out everywhere and log in again with it."
      footer={footer}
    >
      <ResetForm token={token} onSpent={setSpent} />
    </AuthFrame>
  );
}

interface ResetFormProps {
  token: string;
  /** The link no longer works, in the server's words. */
  onSpent: (reason: string) => void;
}

/** What is wrong with a new password, as far as this page knows. */
const problemOf = (password: string): string | undefined =>
  schemasNow()?.NewPassword.safeParse(password).error?.issues[0]?.message;

/** One new password, shown on demand instead of typed twice. */
function ResetForm({ token, onSpent }: ResetFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const signedOut = useSignedOut();
  const [password, setPassword] = useState('');
  /** Nothing is wrong before the first try. */
  const [tried, setTried] = useState(false);
  const reset = useMutation({
    mutationFn: (value: string) => call(passwords.reset, { body: { token, password: value } }),
    // Whoever was signed in here is not any more: the reset ended every session.
    onSuccess: ({ message }) => signedOut({ notice: message }),
    onError(error) {
      const spent = formRefusal(error).fields['token']?.message;
      if (spent !== undefined) onSpent(spent);
    },
  });
  const refusal = reset.error === null ? null : formRefusal(reset.error);
  const refused = reset.variables === password ? refusal?.fields['password']?.message : undefined;
  const weak = tried ? problemOf(password) : undefined;
  const fieldError = weak ?? refused;

  useEffect(() => void loadSchemas(), []);

  useEffect(() => {
    if (refused !== undefined) input.current?.focus();
  }, [refused]);

  async function submit() {
    await loadSchemas();
    setTried(true);
    if (problemOf(password) !== undefined) return input.current?.focus();
    if (!reset.isPending) reset.mutate(password);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      noValidate
      className="flex flex-col gap-4"
    >
      <FormError
        message={refusal !== null && refusal.fields['password'] === undefined ? refusal.form : null}
      />
      <PasswordField
        ref={input}
        label="New password"
        name="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={setPassword}
        error={fieldError}
        hint={<PasswordMeter password={password} />}
      />
      <Button type="submit" variant="primary" size="lg" busy={reset.isPending}>
        {reset.isPending ? 'Saving…' : 'Set password'}
      </Button>
    </form>
  );
}
