import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { ApiError } from '../api/errors.ts';
import { formRefusal } from '../form-refusal.ts';
import { loadSchemas, type Schemas } from '../load-schemas.ts';
import { useOneAtATime } from './use-one-at-a-time.ts';

const noop = () => undefined;

/** State of a form's submission. */
export interface Submission {
  readonly busy: boolean;
  /** Message for the whole form; null when a field shows the message. */
  readonly message: string | null;
  /** Message of one field. */
  errorAt(field: string): string | undefined;
  /** A new value with each refused submission: the focus then moves to the first invalid field. */
  readonly failure: unknown;
}

/** The values do not match the schema; nothing was sent. */
class Invalid extends Error {
  readonly fields: Readonly<Record<string, string>>;

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('Some fields are not valid.');
    // Reversed, so that the first issue of each field wins.
    this.fields = Object.fromEntries(
      issues.map(({ path, message }) => [path.join('.'), message] as const).toReversed(),
    );
  }
}

/** Messages of a refused submission by field, for the fields of the form that was sent. */
function fieldsOf(error: unknown, sent: object): Readonly<Record<string, string>> {
  if (error instanceof Invalid) return error.fields;
  if (error instanceof ApiError && error.code === 'wrong_password') {
    return { ['current' in sent ? 'current' : 'password']: error.message };
  }
  return Object.fromEntries(
    Object.entries(formRefusal(error).fields).flatMap(([field, { message }]) =>
      field in sent ? [[field, message]] : [],
    ),
  );
}

/**
 * Validates a form against the contract's schema and sends it. Messages about a field are shown at the field, others
 * above the form.
 * @param choose selects the body of the endpoint; the schemas load while the user fills in the form
 * @param onDone runs after the server has accepted the form
 */
export function useSubmit<S extends z.ZodObject, R>(
  choose: (schemas: Schemas) => S,
  send: (body: z.output<S>) => Promise<R>,
  onDone: (reply: R) => void | Promise<void>,
): Submission & { submit(values: z.input<S>): void } {
  useEffect(() => void loadSchemas(), []);
  const oneAtATime = useOneAtATime();
  const { mutateAsync, error, isPending, variables } = useMutation({
    async mutationFn(values: z.input<S>) {
      const schemas = await loadSchemas();
      if (schemas === undefined) return send(values as z.output<S>);
      const parsed = choose(schemas).safeParse(values);
      if (!parsed.success) throw new Invalid(parsed.error.issues);
      return send(parsed.data);
    },
    onSuccess: (reply) => onDone(reply),
  });
  const fields = error === null || variables === undefined ? {} : fieldsOf(error, variables);
  const atField = Object.keys(fields).length > 0;
  return {
    busy: isPending,
    message: error === null || atField ? null : formRefusal(error).form,
    errorAt: (field) => fields[field],
    failure: error,
    // The state of the mutation has the failure.
    submit: (values) => void oneAtATime(() => mutateAsync(values).then(noop, noop)),
  };
}
