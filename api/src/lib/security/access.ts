import { type Endpoint, roles } from '@riskboard/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import { Failure } from '../http/failure.ts';
import { requireOwnOrigin } from './origin.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The one place where roles are enforced; every endpoint passes through it (contract, Accounts). A `preParsing` hook:
 * after the rate limit, which thus counts those who are refused, and before a byte of the body is read.
 */
export function requireAccess({ access, sessionOnly }: Pick<Endpoint, 'access' | 'sessionOnly'>) {
  return async (request: FastifyRequest): Promise<void> => {
    const writes = !safeMethods.has(request.method);
    if (access === 'public') {
      if (writes) requireOwnOrigin(request, 'if-present');
      return;
    }
    const caller = await request.server.sessions.identify(request);
    // Before it is known whether they may: a refusal is logged with who was refused.
    request.caller = caller;
    // A token is sent by a program on purpose; a cookie by a browser, whatever page asks it to.
    if (writes) requireOwnOrigin(request, caller.tokenId === null ? 'always' : 'if-present');
    if (sessionOnly && caller.tokenId !== null) throw new Failure('session_needed');
    if (access !== 'self') {
      requireRole(caller, access);
      if (caller.lacksSecondFactor) throw new Failure('second_factor_required');
      if (caller.deleting && writes) throw new Failure('conflict', 'The organization is being deleted.');
    }
  };
}

function requireRole(caller: Caller, least: (typeof roles)[number]): void {
  if (roles.indexOf(caller.role) >= roles.indexOf(least)) return;
  throw new Failure(
    'role_too_low',
    `Requires the ${least} role. You are ${caller.role === 'viewer' ? 'a' : 'an'} ${caller.role}.`,
  );
}
