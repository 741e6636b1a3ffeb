import type { FastifyRequest } from 'fastify';
import { Failure } from '../http/failure.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Origins that are ours: APP_ORIGIN, or both names of the loopback address. */
    ownOrigins: ReadonlySet<string>;
  }
}

/** Whether a browser sent this from a page that is not ours. */
export function isForeign(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin !== undefined) return !request.server.ownOrigins.has(origin);
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/**
 * Refuses a write that did not come from our own pages (OWASP ASVS 5.0, 3.5.1). A cookie alone proves nothing:
 * with `always`, a request that names no origin at all is refused too.
 */
export function requireOwnOrigin(request: FastifyRequest, when: 'always' | 'if-present'): void {
  const silent = request.headers.origin === undefined && request.headers['sec-fetch-site'] === undefined;
  if (isForeign(request) || (silent && when === 'always')) throw new Failure('foreign_origin');
}
