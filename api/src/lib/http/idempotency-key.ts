import { idOfKey } from '@riskboard/db';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../security/caller.ts';

/**
 * The id of the record that a request creates under its `Idempotency-Key`: one for each account, organization and noun.
 * @returns undefined without a key, or with one that is ignored
 */
export function keyedId(
  { headers }: FastifyRequest,
  { organizationId, accountId }: Caller,
  noun: string,
): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? idOfKey(key, [organizationId, accountId, noun]) : undefined;
}
