import { passwords } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { call } from '../../lib/api/call.ts';
import { firstMessage, formRefusal } from '../../lib/form-refusal.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormError } from '../../ui/input/form-error.tsx';
import { Input } from '../../ui/input/input.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useNow } from '../../lib/hooks/use-now.ts';

interface ForgotFormProps {
  /** What the person typed elsewhere. */
  email: string;
  /** Takes the focus: the person came for this. */
  focus: boolean;
}

/** Pause before the same link may be asked for again, in milliseconds: a mail takes its time. */
const pauseMs = 60_000;

/** Asks for a link to set a new password. The answer stands in place and is the same for every address. */
export function ForgotForm({ email: typed, focus }: ForgotFormProps) {
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
