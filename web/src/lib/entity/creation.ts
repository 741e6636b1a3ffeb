import { etagOf, type ErrorCode } from '@riskboard/contract';
import { v7 } from 'uuid';
import { ApiError, UnreachableError } from '../api/errors.ts';
import type { Body, DetailOf, Entity } from './entity.ts';
import { changedFields } from './form-values.ts';
import { callEntity } from './queries.ts';

/** The attempts to create one record: the server creates it once for the key. */
export interface CreationAttempt {
  readonly key: string;
  /** Bodies that may have been stored, because no answer arrived, or after the tab had changed to another account. */
  readonly unanswered: readonly Body[];
}

/** Begins the creation of a record. */
export const newAttempt = (): CreationAttempt => ({ key: v7(), unanswered: [] });

/** The attempt that follows a failed one. */
export function nextAttempt(attempt: CreationAttempt, body: Body, error: unknown): CreationAttempt {
  if (
    !(error instanceof ApiError) ||
    error.status >= 500 ||
    error.code === ('session_changed' satisfies ErrorCode)
  )
    return { ...attempt, unanswered: [...attempt.unanswered, body] };
  // The record of the key was created and deleted since: the next attempt creates another one.
  return error.code === 'conflict' ? newAttempt() : attempt;
}

/**
 * Creates a record, or finishes its creation: where an attempt without an answer has created it, it gets what was
 * changed in the form since.
 */
export async function createOnce<E extends Entity>(
  { calls, form }: E,
  body: Body,
  { key, unanswered }: CreationAttempt,
): Promise<DetailOf<E>> {
  const created = await callEntity<DetailOf<E>>(calls.create, {
    body,
    headers: { 'idempotency-key': key },
    ...(form.queryOf && { query: form.queryOf(body) }),
  });
  const changed: Body = Object.assign({}, ...unanswered.map((earlier) => changedFields(earlier, body)));
  if (Object.keys(changed).length === 0) return created;
  return callEntity<DetailOf<E>>(calls.update, {
    params: { id: created._id },
    body: changed,
    headers: { 'if-match': etagOf(created.version) },
  });
}

/** For the user, when no answer of the API arrived: none at all, or that of a proxy or a server that failed. */
export const unknownCreation = ({ one }: Entity, error: unknown): string => {
  const cause = error instanceof UnreachableError ? 'No answer arrived' : 'The server failed';
  return `${cause}: the ${one} may have been created. You can safely try again, it is created only once.`;
};
