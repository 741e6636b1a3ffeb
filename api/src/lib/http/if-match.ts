import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { etagOf } from '@riskboard/contract';
import { Failure } from './failure.ts';

/** Entity tags of a condition. A compressing proxy marks tags as weak; the version is still exact. */
const tagsOf = (condition: string): string[] =>
  condition.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));

/** Whether a condition names this entity tag, or any. */
const names = (tags: readonly string[], etag: string): boolean => tags.includes('*') || tags.includes(etag);

const unwantedOf = ({ headers }: FastifyRequest): string[] => tagsOf(headers['if-none-match'] ?? '');

/** Whether `If-None-Match` names this entity tag, or any. */
export const namesNone = (request: FastifyRequest, etag: string): boolean => names(unwantedOf(request), etag);

/** An entity tag of a version. */
const isVersion = /^"\d+"$/u;

/** The tag of the version in the tag of a shown record, `"3"` of `"3-0Tqz…"`; other tags as they are. */
const versionOf = (tag: string): string => tag.replace(/^"(\d+)-[\w-]+"$/u, '"$1"');

/** The table of endpoints says where versions are compared and sent: openapi.json documents the headers from it. */
function requireVersioned({ routeOptions: { method, url, config } }: FastifyRequest): void {
  if (!config.versioned) throw new Error(`${String(method)} ${url} is not declared as versioned`);
}

/**
 * Refuses a change or deletion of an outdated version; without `If-Match` the last write wins (contract, HTTP). One with
 * `If-None-Match` is refused for the version that it names, or any (RFC 9110, 13.1.2).
 * @param changedBy name of the person who made the current version, shown to the user
 * @throws Failure 412
 */
export function requireVersion(
  request: FastifyRequest,
  { version, changedBy }: { version: number; changedBy: string },
): void {
  requireVersioned(request);
  const etag = etagOf(version);
  if (names(unwantedOf(request).map(versionOf), etag)) {
    const message = `If-None-Match excludes this record, which is version ${version}.`;
    throw new Failure('stale_version', message, { headers: { etag } });
  }
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  const versions = tagsOf(wanted).map(versionOf);
  if (versions.includes(etag)) return;
  const author = changedBy === '' ? 'Another user' : changedBy;
  const isEarlier = versions.some((tag) => isVersion.test(tag) && Number(tag.slice(1, -1)) < version);
  const message = isEarlier
    ? `${author} changed this in the meantime.`
    : `If-Match names no earlier version; this is version ${version}.`;
  throw new Failure('stale_version', message, { headers: { etag } });
}

/** Of a body, in a tag that also has the version. */
const hashOf = (body: string): string => createHash('sha256').update(body).digest('base64url').slice(0, 16);

/**
 * The tag of a shown record is its version and a hash of the body: scores, counts and related records change without a
 * version. Answers 304 without a body where `If-None-Match` names it (RFC 9110, 13.1.2).
 */
export function answerUnchanged(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const version = reply.getHeader('etag');
    const isShown = request.method === 'GET' || request.method === 'HEAD';
    if (!request.routeOptions.config.versioned || !isShown || reply.statusCode !== 200) return payload;
    if (typeof version !== 'string' || typeof payload !== 'string') return payload;
    const etag = `"${version.slice(1, -1)}-${hashOf(payload)}"`;
    reply.header('etag', etag);
    if (!namesNone(request, etag)) return payload;
    reply.status(304).removeHeader('content-type').removeHeader('content-length');
    // After this hook, Fastify discards the payload of HEAD: it fails for null, and for a text it sends the length.
    return request.method === 'HEAD' ? Readable.from([]) : null;
  });
}

/** Sets the ETag of the record's version. @returns the record */
export function sendVersion<T extends { version: number }>(reply: FastifyReply, record: T): T {
  requireVersioned(reply.request);
  reply.header('etag', etagOf(record.version));
  return record;
}
