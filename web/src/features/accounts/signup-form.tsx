import { accounts, type SchemasOf } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { call } from '../../lib/api/call.ts';
import { formRefusal } from '../../lib/form-refusal.ts';
import { useOneAtATime } from '../../lib/hooks/use-one-at-a-time.ts';
import { loadSchemas, schemasNow } from '../../lib/load-schemas.ts';
import { useSignedIn } from '../../lib/session/use-session-change.ts';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/input/input.tsx';
import { PasswordField } from '../../ui/input/password-field.tsx';
import { PasswordMeter } from '../../ui/input/password-meter.tsx';

type Values = z.input<SchemasOf<typeof accounts.signup>['body']>;

interface SignupFormProps {
  /** The new account joins the organization of this invitation, with its address. */
  invitation?: { token: string; email: string };
  /** Secret of a mailed link that takes the address from an account that never confirmed it. */
  claim?: string;
}

const valuesFor = ({ invitation, claim }: SignupFormProps): Values => ({
  firstName: '',
  lastName: '',
  email: invitation?.email ?? '',
  organization: '',
  password: '',
  ...(invitation !== undefined && { invitation: invitation.token }),
  ...(claim !== undefined && { claim }),
});

/** The first message of each invalid field; empty while the schemas are not loaded. */
function problemsOf(values: Values): Partial<Record<string, string>> {
  const issues = schemasNow()?.accounts.signup.body.safeParse(values).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]).toReversed());
}

/** Creates an account, with its own organization or in the organization of an invitation (contract, Accounts). */
export function SignupForm(props: SignupFormProps) {
  const { invitation } = props;
  const signedIn = useSignedIn();
  const [values, setValues] = useState(() => valuesFor(props));
  /** The last refused submission; from the first one on, fields are validated while the user types. */
  const [failure, setFailure] = useState<unknown>(null);
  const signup = useMutation({
    mutationFn: (body: Values) => call(accounts.signup, { body }),
    onSuccess: ({ user }) => signedIn(user),
    onError: setFailure,
  });
  const firstField = useRef<HTMLInputElement>(null);
  const oneAtATime = useOneAtATime();
  // Also while the page is left.
  const busy = signup.isPending || signup.isSuccess;
  const refusal = signup.error === null ? null : formRefusal(signup.error);
  const problems = failure === null ? {} : problemsOf(values);

  useEffect(() => {
    void loadSchemas();
    firstField.current?.focus();
  }, []);

  /** Without the schemas, the server is the one that validates. */
  async function submit(): Promise<void> {
    if (signup.isSuccess) return;
    await loadSchemas();
    if (Object.keys(problemsOf(values)).length > 0) setFailure(new Error('Some fields are not valid.'));
    else await signup.mutateAsync(values).catch(() => undefined);
  }

  /** A message of the server is about the value that was sent, so it is removed when the user changes the field. */
  function refusalAt(field: string): string | undefined {
    const name = field as keyof Values;
    return signup.variables?.[name] === values[name] ? refusal?.fields[field]?.message : undefined;
  }

  const errorAt = (field: string): string | undefined => problems[field] ?? refusalAt(field);

  const fieldOf = (name: 'firstName' | 'lastName' | 'email' | 'organization' | 'password') => ({
    name,
    value: values[name] ?? '',
    onChange: (text: string) => setValues((current) => ({ ...current, [name]: text })),
    error: errorAt(name),
  });

  return (
    <Form
      submission={{
        busy,
        message: refusal?.form ?? refusal?.fields['claim']?.message ?? null,
        errorAt,
        failure,
      }}
      onSubmit={() => void oneAtATime(submit)}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Input
          ref={firstField}
          label="First name"
          autoComplete="given-name"
          required
          {...fieldOf('firstName')}
        />
        <Input label="Last name" optional autoComplete="family-name" {...fieldOf('lastName')} />
      </div>
      <Input
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        readOnly={invitation !== undefined}
        {...fieldOf('email')}
      />
      {invitation === undefined && (
        <Input label="Organization" optional autoComplete="organization" {...fieldOf('organization')} />
      )}
      <PasswordField
        label="Password"
        autoComplete="new-password"
        required
        hint={<PasswordMeter password={values.password} refused={refusalAt('password') !== undefined} />}
        {...fieldOf('password')}
      />
      <Button type="submit" variant="primary" size="lg" busy={busy}>
        {busy ? 'Creating account…' : 'Create account'}
      </Button>
    </Form>
  );
}
