import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf } from '@riskboard/contract';
import { Failure } from './failure.ts';

/**
 * Refuses a change that was made on an older version; without `If-Match` the last write wins (contract, HTTP).
 * @param changedBy who made the version that is there, for the person to decide
 * @throws Failure 412
 */
export function requireVersion(
  request: FastifyRequest,
  { version, changedBy }: { version: number; changedBy: string },
): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  // A proxy that compresses weakens our tags on their way; what they say is as exact as before.
  const versions = wanted.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  if (versions.includes(etagOf(version))) return;
  const who = changedBy === '' ? 'Somebody else' : changedBy;
  throw new Failure('stale_version', `${who} changed this in the meantime.`, {
    headers: { etag: etagOf(version) },
  });
}

/** The version that the answer shows. */
export function sendVersion<T extends { version: number }>(reply: FastifyReply, record: T): T {
  reply.header('etag', etagOf(record.version));
  return record;
}
