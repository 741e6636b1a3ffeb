import type { User } from '@riskboard/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setSessionCookies } from './cookies.ts';
import type { NewSession, SignedIn } from './sessions.ts';

/** Sets the cookies of a session. @returns the reply's body */
export function sendSession(reply: FastifyReply, signedIn: SignedIn): { user: User } {
  const { sessions } = reply.server;
  const jwt = sessions.sign({ sub: signedIn.user._id, sid: signedIn.sessionId });
  setSessionCookies(reply, {
    jwt,
    ...(signedIn.refresh ? { refresh: sessions.signRefresh(signedIn.refresh) } : {}),
  });
  sessions.rememberDevice(reply, signedIn.user.email);
  return { user: signedIn.user };
}

/** User agent and address of a request, for its session's row. */
export const deviceOf = (request: FastifyRequest): Pick<NewSession, 'userAgent' | 'address'> => ({
  userAgent: request.headers['user-agent'] ?? '',
  address: request.ip,
});
