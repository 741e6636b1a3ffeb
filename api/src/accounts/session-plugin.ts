import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import jwt from '@fastify/jwt';
import type { User } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { Caller } from '../lib/caller.ts';
import { Failure } from '../lib/failure.ts';
import { readSessionCookie } from './cookies.ts';
import { findSession, touchSession } from './sessions.ts';

const issuer = 'riskboard';

interface Claims {
  sub: string;
  sid: string;
}

/** Turns a request into who made it, and a session into its cookie. */
export interface Sessions {
  /** @throws Failure not_signed_in or session_expired. Checked against the session's row at every call. */
  identify(request: FastifyRequest): Promise<Caller>;
  user(request: FastifyRequest): Promise<User>;
  sign(claims: Claims): string;
}

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions;
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Claims & { jti: string };
    user: Claims;
  }
}

interface SessionOptions {
  database: Database;
  secret: string;
}

async function registerSessions(app: FastifyInstance, { database, secret }: SessionOptions): Promise<void> {
  await app.register(cookie);
  await app.register(jwt, {
    secret,
    sign: { algorithm: 'HS256', expiresIn: '10m', iss: issuer, aud: issuer },
    verify: { algorithms: ['HS256'], allowedIss: issuer, allowedAud: issuer, requiredClaims: ['exp', 'sid'] },
  });

  /** A token that does not verify for whatever reason is one and the same answer: nobody is told why. */
  function readClaims(token: string): Claims | undefined {
    try {
      return app.jwt.verify<Claims>(token);
    } catch {
      return undefined;
    }
  }

  async function find(request: FastifyRequest): Promise<{ claims: Claims; user: User }> {
    const token = readSessionCookie(request);
    if (!token) throw new Failure('not_signed_in');
    const claims = readClaims(token);
    const found = claims && (await findSession(database, claims.sid));
    if (!claims || !found || found.user._id !== claims.sub) throw new Failure('session_expired');
    if (found.stale) await touchSession(database, claims.sid);
    return { claims, user: found.user };
  }

  app.decorateRequest('caller', null);
  app.decorate('sessions', {
    async identify(request) {
      const { claims, user } = await find(request);
      return {
        organizationId: user.organizationId,
        accountId: user._id,
        sessionId: claims.sid,
        role: user.role,
      };
    },
    user: async (request) => (await find(request)).user,
    sign: (claims) => app.jwt.sign({ ...claims, jti: randomUUID() }),
  });
}

export const sessionPlugin = plugin(registerSessions, { name: 'sessions' });
