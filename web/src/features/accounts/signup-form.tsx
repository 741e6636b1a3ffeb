import { accounts } from '@riskboard/contract';
import { revalidateLogic, useForm } from '@tanstack/react-form';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { call } from '../../lib/api/call.ts';
import { firstMessage, formRefusal } from '../../lib/form-refusal.ts';
import { loadSchemas, schemasNow } from '../../lib/schemas.ts';
import { useSignedIn } from '../../lib/session/use-session-change.ts';
import { Button } from '../../ui/button/button.tsx';
import { Input } from '../../ui/input/input.tsx';
import { PasswordField } from '../../ui/input/password-field.tsx';
import { FormError } from '../../ui/input/form-error.tsx';
import { PasswordMeter } from '../../ui/input/password-meter.tsx';

type Values = z.input<typeof accounts.signup.body>;

interface SignupFormProps {
  /** Joins its organisation, with its address. */
  invitation?: { token: string; email: string };
}

const valuesFor = (invitation: SignupFormProps['invitation']): Values => ({
  firstName: '',
  lastName: '',
  email: invitation?.email ?? '',
  organization: '',
  password: '',
  ...(invitation !== undefined && { invitation: invitation.token }),
});

/** A new account, with an organisation of its own or in that of an invitation (contract, Accounts). */
export function SignupForm({ invitation }: SignupFormProps) {
  const signedIn = useSignedIn();
  const element = useRef<HTMLFormElement>(null);
  const form = useForm({
    defaultValues: valuesFor(invitation),
    validationLogic: revalidateLogic(),
    validators: {
      // They are here when it is sent; without them, the server says what is wrong.
      onDynamic({ formApi }) {
        const schemas = schemasNow();
        return schemas && formApi.parseValuesWithSchema(schemas.accounts.signup.body);
      },
      async onSubmitAsync({ value }) {
        try {
          signedIn((await call(accounts.signup, { body: value })).user);
          return undefined;
        } catch (error) {
          return formRefusal(error);
        }
      },
    },
    onSubmitInvalid() {
      requestAnimationFrame(() => {
        element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      });
    },
  });

  useEffect(() => void loadSchemas(), []);

  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void loadSchemas().then(() => form.handleSubmit());
      }}
      className="flex flex-col gap-4"
    >
      <form.Subscribe selector={(state) => state.errorMap.onSubmit}>
        {(found) => <FormError message={firstMessage([found]) ?? null} />}
      </form.Subscribe>
      <div className="grid gap-4 sm:grid-cols-2">
        <form.Field name="firstName">
          {({ state, handleChange, name }) => (
            <Input
              label="First name"
              name={name}
              autoComplete="given-name"
              required
              value={state.value}
              onChange={handleChange}
              error={firstMessage(state.meta.errors)}
            />
          )}
        </form.Field>
        <form.Field name="lastName">
          {({ state, handleChange, name }) => (
            <Input
              label="Last name"
              optional
              name={name}
              autoComplete="family-name"
              value={state.value ?? ''}
              onChange={handleChange}
              error={firstMessage(state.meta.errors)}
            />
          )}
        </form.Field>
      </div>
      <form.Field name="email">
        {({ state, handleChange, name }) => (
          <Input
            label="Email"
            type="email"
            name={name}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            readOnly={invitation !== undefined}
            value={state.value}
            onChange={handleChange}
            error={firstMessage(state.meta.errors)}
          />
        )}
      </form.Field>
      {invitation === undefined && (
        <form.Field name="organization">
          {({ state, handleChange, name }) => (
            <Input
              label="Organization"
              optional
              name={name}
              autoComplete="organization"
              value={state.value ?? ''}
              onChange={handleChange}
              error={firstMessage(state.meta.errors)}
            />
          )}
        </form.Field>
      )}
      <form.Field name="password">
        {({ state, handleChange, name }) => (
          <PasswordField
            label="Password"
            name={name}
            autoComplete="new-password"
            required
            value={state.value}
            onChange={handleChange}
            error={firstMessage(state.meta.errors)}
            hint={<PasswordMeter password={state.value} />}
          />
        )}
      </form.Field>
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(busy) => (
          <Button type="submit" variant="primary" size="lg" busy={busy}>
            {busy ? 'Creating account…' : 'Create account'}
          </Button>
        )}
      </form.Subscribe>
    </form>
  );
}
