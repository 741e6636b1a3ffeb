import { passwords } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { call } from '../../lib/api/call.ts';
import { firstMessage, formRefusal } from '../../lib/form-refusal.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { Button } from '../../ui/button/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { FormError } from '../../ui/input/form-error.tsx';
import { Input } from '../../ui/input/input.tsx';
import { AuthFrame } from './auth-frame.tsx';

interface WelcomeProps {
  /** Set when the user followed 'Forgot your password?': the email address typed there, which may be empty. */
  forgotten: string | undefined;
}

/** `/` without a session: log in, sign up, or request a password reset. */
export function Welcome({ forgotten }: WelcomeProps) {
  return (
    <AuthFrame
      title="Manage your cyber risk"
      description="Upload threat intelligence, extract vulnerabilities and threats, and see what needs attention."
    >
      <div className="flex flex-col gap-2">
        <Link to="/login" className={buttonStyle({ variant: 'primary', size: 'lg' })}>
          Log in
        </Link>
        <Link to="/signup" className={buttonStyle({ size: 'lg' })}>
          Sign up
        </Link>
      </div>
      <section aria-labelledby="forgotten" className="flex flex-col gap-3 border-t pt-5">
        <div>
          <h2 id="forgotten" className="text-base font-semibold">
            Forgot your password?
          </h2>
          <p className="mt-1 text-sm text-muted">We'll email you a reset link.</p>
        </div>
        <ForgotForm email={forgotten ?? ''} focus={forgotten !== undefined} />
      </section>
    </AuthFrame>
  );
}

interface ForgotFormProps {
  /** Initial value of the field. */
  email: string;
  /** Moves the focus to the field. */
  focus: boolean;
}

/** Milliseconds before the same link can be requested again, since delivery takes a while. */
const pauseMs = 60_000;

/** Requests a link to set a new password. The reply is the same for every address and is shown in the form. */
function ForgotForm({ email: typed, focus }: ForgotFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(typed);
  const forgot = useMutation({
    mutationFn: (address: string) => call(passwords.forgot, { body: { email: address } }),
  });
  const address = email.trim();
  const refusal = forgot.error === null ? null : formRefusal(forgot.error);
  const fieldError = refusal?.fields['email']?.message;
  const sent = forgot.isSuccess && forgot.variables === address;
  const pause = usePause(sent ? forgot.submittedAt + pauseMs : 0);

  useEffect(() => {
    if (focus) input.current?.focus();
  }, [focus]);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (address !== '' && !forgot.isPending && pause === 0) forgot.mutate(address);
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <FormError message={refusal === null || fieldError !== undefined ? null : refusal.form} />
      <Input
        ref={input}
        label="Email"
        type="email"
        name="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={setEmail}
        error={firstMessage([fieldError])}
      />
      <output className="empty:-mb-3">{sent && <Notice>{forgot.data.message}</Notice>}</output>
      <Button type="submit" size="lg" disabled={address === '' || pause > 0} busy={forgot.isPending}>
        {labelOf({ busy: forgot.isPending, sent, pause })}
      </Button>
    </form>
  );
}

function labelOf({ busy, sent, pause }: { busy: boolean; sent: boolean; pause: number }): string {
  if (busy) return 'Sending…';
  if (pause > 0) return `Send again in ${pause} s`;
  return sent ? 'Send again' : 'Send reset link';
}

/** Whole seconds until a moment, 0 once it is past. */
function usePause(until: number): number {
  const now = useNow(1000);
  return Math.min(pauseMs / 1000, Math.max(0, Math.ceil((until - now) / 1000)));
}
