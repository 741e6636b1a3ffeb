import { accounts, errors } from '@riskboard/contract';
import { revalidateLogic, useForm } from '@tanstack/react-form';
import { useRef } from 'react';
import type { z } from 'zod';
import { call } from '../../lib/call.ts';
import { ApiError } from '../../lib/call-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordMeter } from '../../ui/password-meter.tsx';
import { useSignIn } from './use-sign-in.ts';

const schema = accounts.signup.body;
type Values = z.input<typeof schema>;

const empty: Values = { firstName: '', lastName: '', email: '', organization: '', password: '' };

/** What a failed sign-up says, at the form and at its fields (422: one detail a field). */
function refusalOf(error: unknown) {
  if (!(error instanceof ApiError)) return { form: errors.internal.fallback, fields: {} };
  const fields = Object.fromEntries(error.details.map(({ path, message }) => [path, { message }]));
  return { form: error.message, fields };
}

/** First message of a field's or form's errors, whoever found them. */
function messageOf(found: readonly unknown[]): string | undefined {
  const first = found.find((one) => one !== undefined);
  if (typeof first === 'string') return first;
  if (typeof first !== 'object' || first === null || !('message' in first)) return undefined;
  return typeof first.message === 'string' ? first.message : undefined;
}

/** A new account with an organisation of its own (contract, Accounts). */
export function SignupForm() {
  const signIn = useSignIn();
  const element = useRef<HTMLFormElement>(null);
  const form = useForm({
    defaultValues: empty,
    validationLogic: revalidateLogic(),
    validators: {
      onDynamic: schema,
      async onSubmitAsync({ value }) {
        try {
          signIn((await call(accounts.signup, { body: value })).user);
          return undefined;
        } catch (error) {
          return refusalOf(error);
        }
      },
    },
    onSubmitInvalid() {
      requestAnimationFrame(() => {
        element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      });
    },
  });

  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
      className="flex flex-col gap-4"
    >
      <form.Subscribe selector={(state) => state.errorMap.onSubmit}>
        {(found) => <FormError message={messageOf([found]) ?? null} />}
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
              error={messageOf(state.meta.errors)}
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
              error={messageOf(state.meta.errors)}
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
            value={state.value}
            onChange={handleChange}
            error={messageOf(state.meta.errors)}
          />
        )}
      </form.Field>
      <form.Field name="organization">
        {({ state, handleChange, name }) => (
          <Input
            label="Organization"
            optional
            name={name}
            autoComplete="organization"
            value={state.value ?? ''}
            onChange={handleChange}
            error={messageOf(state.meta.errors)}
          />
        )}
      </form.Field>
      <form.Field name="password">
        {({ state, handleChange, name }) => (
          <PasswordField
            label="Password"
            name={name}
            autoComplete="new-password"
            required
            value={state.value}
            onChange={handleChange}
            error={messageOf(state.meta.errors)}
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
