import { type Endpoint, jobAccess, roles } from '@riskboard/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import { Failure } from '../http/failure.ts';
import { readRefreshCookie, readSessionCookie } from '../../sessions/cookies.ts';
import { requireOwnOrigin } from './origin.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Milliseconds for which an access check holds while a body arrives: nearly every body comes with its headers. */
const checkHoldsMs = 50;

type Access = Pick<Endpoint, 'access' | 'readOnly' | 'sessionOnly' | 'usesCookie' | 'whileDeleting'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The last check of the caller's access; null before one, and on public endpoints. */
    access: { endpoint: Access; checkedAt: number } | null;
  }
}

/** Whether the request has a cookie of a session. */
const hasSessionCookie = (request: FastifyRequest): boolean =>
  (readSessionCookie(request) ?? readRefreshCookie(request)) !== undefined;

/**
 * Enforces roles for every endpoint (contract, Accounts). A `preParsing` hook: it runs after the rate limit, which
 * therefore counts refused requests, and before the body is read.
 */
export function requireAccess(endpoint: Access) {
  return async (request: FastifyRequest): Promise<void> => {
    const writes = !safeMethods.has(request.method);
    if (endpoint.access === 'public') {
      const isByCookie = endpoint.usesCookie === true && hasSessionCookie(request);
      if (writes) requireOwnOrigin(request, isByCookie ? 'always' : 'if-present');
      return;
    }
    const caller = await request.server.sessions.identify(request);
    // Set before the role is checked, so that a refusal is logged with the caller.
    request.caller = caller;
    // A browser adds a cookie to requests of any page; a token is only sent deliberately.
    if (writes) requireOwnOrigin(request, caller.tokenId === null ? 'always' : 'if-present');
    requireRights(caller, endpoint, writes);
    request.access = { endpoint, checkedAt: performance.now() };
  };
}

/**
 * Checks access again where the body has arrived some time after the first check: a sender who holds it back would keep the
 * rights of that time for up to half an hour. A `preValidation` hook for bodies that are parsed; handlers that read a file
 * themselves call it before they save anything.
 * @throws Failure as for a new request
 */
export async function confirmAccess(request: FastifyRequest): Promise<void> {
  const { access, caller } = request;
  if (access === null || caller === null || performance.now() - access.checkedAt < checkHoldsMs) return;
  request.caller = await request.server.sessions.identifyAgain(caller);
  requireRights(request.caller, access.endpoint, !safeMethods.has(request.method));
  access.checkedAt = performance.now();
}

function requireRights(caller: Caller, endpoint: Access, writes: boolean): void {
  const { access, readOnly, sessionOnly, whileDeleting } = endpoint;
  requireSession(caller, sessionOnly);
  // People change what is their own in any role, but a token of a viewer is given away to read only.
  if (access === 'self' && writes && !readOnly && caller.tokenId !== null) requireRole(caller, 'analyst');
  if (access === 'self' || access === 'public') return;
  requireRole(caller, access);
  if (caller.lacksSecondFactor) throw new Failure('second_factor_required');
  if (writes && !whileDeleting) requireNotDeleting(caller);
}

function requireNotDeleting({ deleting }: Caller): void {
  if (deleting) throw new Failure('conflict', 'The organization is being deleted.');
}

function requireSession(caller: Caller, sessionOnly = false): void {
  if (sessionOnly && caller.tokenId !== null) throw new Failure('session_needed');
}

/**
 * Enforces who may cancel a job of this kind or run it again. While the organization is being deleted only its deletion is.
 * @throws Failure 403, or 409 while the organization is being deleted
 */
export function requireJobAccess(caller: Caller, kind: string): void {
  const { access, sessionOnly } = jobAccess(kind);
  requireSession(caller, sessionOnly);
  requireRole(caller, access);
  if (kind !== 'organization.delete') requireNotDeleting(caller);
}

function requireRole(caller: Caller, minimum: (typeof roles)[number]): void {
  if (roles.indexOf(caller.role) >= roles.indexOf(minimum)) return;
  const article = caller.role === 'viewer' ? 'a' : 'an';
  throw new Failure('role_too_low', `Requires the ${minimum} role. You are ${article} ${caller.role}.`);
}
