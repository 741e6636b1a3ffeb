import { errors } from '@riskboard/contract';
import { ApiError, messageOf } from '../../lib/api/errors.ts';
import type { Refused } from './form-context.ts';

interface Refusal {
  fields: Readonly<Record<string, Refused>>;
  /** What no field of the form says. */
  message: string | undefined;
}

/** A failed call's words at the fields of the form (422: one detail a field), the rest for the form as a whole. */
export function refusalOf(error: unknown, values: object): Refusal {
  const details = error instanceof ApiError ? error.details : [];
  const named = details.map(({ path, message }) => ({ name: path.split('.')[0] ?? path, message }));
  const known = named.filter(({ name }) => name in values);
  // The first word about a field is the one to tell.
  const fields = Object.fromEntries(
    known
      .toReversed()
      .map(({ name, message }) => [name, { message, value: values[name as keyof typeof values] }]),
  );
  const told = known.length > 0 && known.length === named.length;
  return { fields, message: told ? undefined : messageOf(error, errors.internal.fallback) };
}
