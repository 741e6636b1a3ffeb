import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf } from '@riskboard/contract';
import { Failure } from './failure.ts';

/** An entity tag of a version. */
const isVersion = /^"\d+"$/u;

/** The table of endpoints says where versions are compared and sent: openapi.json documents the headers from it. */
function requireVersioned({ routeOptions: { method, url, config } }: FastifyRequest): void {
  if (!config.versioned) throw new Error(`${String(method)} ${url} is not declared as versioned`);
}

/**
 * Refuses a change or deletion of an outdated version; without `If-Match` the last write wins (contract, HTTP).
 * @param changedBy name of the person who made the current version, shown to the user
 * @throws Failure 412
 */
export function requireVersion(
  request: FastifyRequest,
  { version, changedBy }: { version: number; changedBy: string },
): void {
  requireVersioned(request);
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  // A compressing proxy marks the tags as weak; the version is still exact.
  const versions = wanted.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  if (versions.includes(etagOf(version))) return;
  const author = changedBy === '' ? 'Another user' : changedBy;
  const isEarlier = versions.some((tag) => isVersion.test(tag) && Number(tag.slice(1, -1)) < version);
  const message = isEarlier
    ? `${author} changed this in the meantime.`
    : `If-Match names no earlier version; this is version ${version}.`;
  throw new Failure('stale_version', message, { headers: { etag: etagOf(version) } });
}

/** Sets the ETag of the record. @returns the record */
export function sendVersion<T extends { version: number }>(reply: FastifyReply, record: T): T {
  requireVersioned(reply.request);
  reply.header('etag', etagOf(record.version));
  return record;
}
