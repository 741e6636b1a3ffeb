import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { ApiError } from '../api/errors.ts';
import { formRefusal } from '../form-refusal.ts';
import { loadSchemas, type Schemas } from '../schemas.ts';

/** How a form stands with the server. */
export interface Submission {
  readonly busy: boolean;
  /** What was refused as a whole; null when it is told at a field. */
  readonly message: string | null;
  /** What was refused at a field. */
  errorAt(field: string): string | undefined;
  /** Another one with each refusal: the focus goes to the first field that is wrong. */
  readonly failure: unknown;
}

/** What the schema refuses never leaves the page. */
class Invalid extends Error {
  readonly fields: Readonly<Record<string, string>>;

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('Some fields are not valid.');
    // The first issue of a field is the one to tell.
    this.fields = Object.fromEntries(
      issues.map(({ path, message }) => [path.join('.'), message] as const).toReversed(),
    );
  }
}

/** Words of a refusal at the fields of the form that was sent. */
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
 * Sends a form by the contract's schema: what is wrong stands at its field, the rest above the form.
 * @param choose body of the endpoint; the schemas come while the form is filled in
 * @param onDone runs when the server has agreed
 */
export function useSubmit<S extends z.ZodObject, R>(
  choose: (schemas: Schemas) => S,
  send: (body: z.output<S>) => Promise<R>,
  onDone: (reply: R) => void | Promise<void>,
): Submission & { submit(values: z.input<S>): void } {
  useEffect(() => void loadSchemas(), []);
  const { mutate, error, isPending, variables } = useMutation({
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
  const told = Object.keys(fields).length > 0;
  return {
    busy: isPending,
    message: error === null || told ? null : formRefusal(error).form,
    errorAt: (field) => fields[field],
    failure: error,
    submit: (values) => !isPending && mutate(values),
  };
}
