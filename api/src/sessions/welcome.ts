import type { User } from '@riskboard/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setSessionCookies } from './cookies.ts';
import type { NewSession, SignedIn } from './sessions.ts';

/** Gives a browser the cookies of its session. */
export function welcome(reply: FastifyReply, signedIn: SignedIn): { user: User } {
  const jwt = reply.server.sessions.sign({ sub: signedIn.user._id, sid: signedIn.sessionId });
  setSessionCookies(reply, { jwt, ...(signedIn.refresh ? { refresh: signedIn.refresh } : {}) });
  return { user: signedIn.user };
}

/** Where a request comes from, as its session keeps it. */
export const deviceOf = (request: FastifyRequest): Pick<NewSession, 'userAgent' | 'address'> => ({
  userAgent: request.headers['user-agent'] ?? '',
  address: request.ip,
});
