import type { FastifyRequest } from 'fastify';
import { Failure } from '../http/failure.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Origins of this installation: APP_ORIGIN, or both names of the loopback address. */
    ownOrigins: ReadonlySet<string>;
  }
}

/** Whether a browser sent this request from a page of another origin. */
export function isForeign(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin !== undefined) return !request.server.ownOrigins.has(origin);
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/**
 * Refuses a write from another origin (OWASP ASVS 5.0, 3.5.1). With `always`, for requests by cookie, a request without
 * any origin header is refused too.
 */
export function requireOwnOrigin(request: FastifyRequest, when: 'always' | 'if-present'): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  // A browser sends `none` for what a person opens, such as a bookmark, which is never a write.
  const hasNoOrigin = origin === undefined && (site === undefined || site === 'none');
  if (isForeign(request) || (hasNoOrigin && when === 'always')) throw new Failure('foreign_origin');
}
