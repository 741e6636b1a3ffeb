import { errors } from '@riskboard/contract';
import { ApiError } from './api/errors.ts';

/** Messages of a refused form: of the form as a whole, and of its fields. */
export interface FormRefusal {
  /** Null when a field shows the message. */
  form: string | null;
  fields: Record<string, { message: string }>;
}

/** Messages of a failed call for the form that made it (422: one detail per field; contract, HTTP). */
export function formRefusal(error: unknown): FormRefusal {
  if (!(error instanceof Error)) return { form: errors.internal.fallback, fields: {} };
  // An empty path means the request as a whole.
  const details = error instanceof ApiError ? error.details.filter(({ path }) => path !== '') : [];
  const fields = Object.fromEntries(details.map(({ path, message }) => [path, { message }]));
  const atField = details.some(({ message }) => message === error.message);
  return { form: atField ? null : error.message || errors.internal.fallback, fields };
}

/** First message of a field's or form's errors, from a schema or from the server. */
export function firstMessage(found: readonly unknown[]): string | undefined {
  const first = found.find((one) => one !== undefined && one !== null);
  if (typeof first === 'string') return first;
  if (typeof first !== 'object' || first === null || !('message' in first)) return undefined;
  return typeof first.message === 'string' ? first.message : undefined;
}
