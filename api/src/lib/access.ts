import { type Access, roles } from '@riskboard/contract';
import type { FastifyRequest } from 'fastify';
import { Failure } from './failure.ts';
import { requireOwnOrigin } from './origin.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The one place where roles are enforced; every endpoint passes through it (contract, Accounts). */
export function requireAccess(access: Access) {
  return async (request: FastifyRequest): Promise<void> => {
    const writes = !safeMethods.has(request.method);
    if (access === 'public') {
      if (writes) requireOwnOrigin(request, 'if-present');
      return;
    }
    const caller = await request.server.sessions.identify(request);
    if (writes) requireOwnOrigin(request, 'always');
    if (roles.indexOf(caller.role) < roles.indexOf(access)) {
      request.log.warn({ needs: access, role: caller.role }, 'access denied');
      throw new Failure('role_too_low', `This needs the role ${access}; yours is ${caller.role}.`);
    }
    request.caller = caller;
  };
}
