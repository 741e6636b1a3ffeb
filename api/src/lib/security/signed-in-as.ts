import { ownerOf, signedInAsField, signedInAsHeader, type User } from '@riskboard/contract';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../http/failure.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const isOwner = new RegExp(`^${uuid} ${uuid}$`, 'u');

/** The account and organization that the page names; undefined when it names none. */
function namedBy({ headers, ws, query }: FastifyRequest): unknown {
  return headers[signedInAsHeader] ?? (ws ? (query as Record<string, unknown>)[signedInAsField] : undefined);
}

/**
 * Refuses a call of a page that shows another account or organization than those of its session: all tabs of a browser
 * share the session cookie, and another tab may have replaced it (decision 72).
 * @throws Failure session_changed, or malformed
 */
export function requireSignedInAs(request: FastifyRequest, user: User): void {
  const named = namedBy(request);
  if (named === undefined || named === ownerOf(user)) return;
  if (typeof named !== 'string' || !isOwner.test(named))
    throw new Failure(
      'malformed',
      `${signedInAsHeader} must be the id of an account, a space and the id of an organization.`,
    );
  if (named.startsWith(user._id)) throw new Failure('session_changed');
  throw new Failure(
    'session_changed',
    'You have logged in with another account since this page was opened. Nothing was changed.',
  );
}
