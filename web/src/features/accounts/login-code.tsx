import { errors } from '@riskboard/contract';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type SubmitEvent } from 'react';
import { Button } from '../../ui/button/button.tsx';
import { FormError } from '../../ui/input/form-error.tsx';
import { Input } from '../../ui/input/input.tsx';

interface LoginCodeProps {
  busy: boolean;
  error: string | null;
  onSubmit: (code: string) => void;
  /** Clears the error when the user switches to the other kind of code. */
  onSwitch: () => void;
  onBack: () => void;
}

/** The two kinds of code: texts, input attributes, and the pattern that enables the submit button. */
const kinds = {
  app: {
    label: 'Code',
    hint: 'Six digits. The code changes every 30 seconds.',
    other: 'Use a recovery code',
    field: { inputMode: 'numeric', autoComplete: 'one-time-code' },
    whole: /^\d{6}$/u,
  },
  recovery: {
    label: 'Recovery code',
    hint: 'One of the ten codes that you saved when you set up the second factor. Each works once.',
    other: 'Use the authenticator app',
    field: { autoComplete: 'off', autoCapitalize: 'none' },
    whole: /./u,
  },
} as const;

/** Second step of a login: a code of the authenticator app, or a recovery code. */
export function LoginCode({ busy, error, onSubmit, onSwitch, onBack }: LoginCodeProps) {
  const input = useRef<HTMLInputElement>(null);
  /** Focuses each field of this step when it mounts. */
  const attach = useCallback((element: HTMLInputElement | null) => {
    input.current = element;
    element?.focus();
  }, []);
  const [kind, setKind] = useState<keyof typeof kinds>('app');
  const [code, setCode] = useState('');
  const { label, hint, other, field, whole } = kinds[kind];
  const sent = code.replaceAll(/\s/gu, '');
  const ready = whole.test(sent);

  useEffect(() => {
    if (error !== null) input.current?.select();
  }, [error]);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (ready && !busy) onSubmit(sent);
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        {kind === 'app' ? errors.second_factor_needed.fallback : 'Enter a recovery code.'}
      </p>
      <FormError message={error} />
      <Input
        key={kind}
        ref={attach}
        label={label}
        hint={hint}
        name="code"
        spellCheck={false}
        value={code}
        onChange={setCode}
        {...field}
      />
      <Button type="submit" variant="primary" size="lg" disabled={!ready} busy={busy}>
        {busy ? 'Logging in…' : 'Log in'}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" size="sm" icon={<ArrowLeft aria-hidden size={14} />} onClick={onBack}>
          Back
        </Button>
        <Button
          variant="ghost"
          size="sm"
          onClick={() => {
            onSwitch();
            setCode('');
            setKind(kind === 'app' ? 'recovery' : 'app');
          }}
        >
          {other}
        </Button>
      </div>
    </form>
  );
}
