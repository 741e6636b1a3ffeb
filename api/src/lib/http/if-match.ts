import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf } from '@riskboard/contract';
import { Failure } from './failure.ts';

/**
 * Refuses a change of an outdated version; without `If-Match` the last write wins (contract, HTTP).
 * @param changedBy name of the person who made the current version, shown to the user
 * @throws Failure 412
 */
export function requireVersion(
  request: FastifyRequest,
  { version, changedBy }: { version: number; changedBy: string },
): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  // A compressing proxy marks the tags as weak; the version is still exact.
  const versions = wanted.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  if (versions.includes(etagOf(version))) return;
  const author = changedBy === '' ? 'Another user' : changedBy;
  throw new Failure('stale_version', `${author} changed this in the meantime.`, {
    headers: { etag: etagOf(version) },
  });
}

/** Sets the ETag of the record. @returns the record */
export function sendVersion<T extends { version: number }>(reply: FastifyReply, record: T): T {
  reply.header('etag', etagOf(record.version));
  return record;
}
