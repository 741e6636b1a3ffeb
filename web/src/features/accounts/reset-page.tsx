import { passwords } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { formRefusal } from '../../lib/form-refusal.ts';
import { loadSchemas, schemasNow } from '../../lib/load-schemas.ts';
import { revokeTokensLabel } from '../../lib/session/revoke-tokens.ts';
import { useSignedOut } from '../../lib/session/use-session-change.ts';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { Button } from '../../ui/button/button.tsx';
import { linkStyle } from '../../ui/button/link-style.ts';
import { Checkbox } from '../../ui/input/checkbox.tsx';
import { FormError } from '../../ui/input/form-error.tsx';
import { PasswordField } from '../../ui/input/password-field.tsx';
import { PasswordMeter } from '../../ui/input/password-meter.tsx';
import { AuthFrame } from './auth-frame.tsx';

interface ResetPageProps {
  /** Secret of the link in the email; absent when the URL had none. */
  token: string | undefined;
}

/** Sets a new password with the link of an email. An expired link offers to request a new one. */
export function ResetPage({ token }: ResetPageProps) {
  const [spent, setSpent] = useState<string | null>(
    token === undefined
      ? 'This link is incomplete. Open it from the email again, or request a new one.'
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
          Request a new link
        </Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Set a new password"
      description="You'll be logged out everywhere and must log in again."
      footer={footer}
    >
      <ResetForm token={token} onSpent={setSpent} />
    </AuthFrame>
  );
}

interface ResetFormProps {
  token: string;
  /** Called with the server's message when the link no longer works. */
  onSpent: (reason: string) => void;
}

/** Why the schema refuses a password; undefined while the schemas are not loaded. */
const problemOf = (password: string): string | undefined =>
  schemasNow()?.NewPassword.safeParse(password).error?.issues[0]?.message;

/** Form with one field for the new password: the user can show it instead of typing it twice. */
function ResetForm({ token, onSpent }: ResetFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const signedOut = useSignedOut();
  const [password, setPassword] = useState('');
  const [revokeTokens, setRevokeTokens] = useState(true);
  /** Validation starts with the first submission. */
  const [tried, setTried] = useState(false);
  const reset = useMutation({
    mutationFn: (value: string) => call(passwords.reset, { body: { token, password: value, revokeTokens } }),
    // The reset ended every session of the account, a session in this browser too.
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
        hint={<PasswordMeter password={password} refused={refused !== undefined} />}
      />
      <Checkbox label={revokeTokensLabel} checked={revokeTokens} onChange={setRevokeTokens} />
      <Button type="submit" variant="primary" size="lg" busy={reset.isPending}>
        {reset.isPending ? 'Saving…' : 'Set password'}
      </Button>
    </form>
  );
}
