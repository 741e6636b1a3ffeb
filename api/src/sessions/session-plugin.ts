import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import jwt from '@fastify/jwt';
import type { User } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { sql } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { requireSignedInAs } from '../lib/security/signed-in-as.ts';
import { readDeviceCookie, readSessionCookie, setDeviceCookie } from './cookies.ts';
import { accountKey } from '../accounts/login-failures.ts';
import { findToken, findTokenById, tokenHash, touchToken } from '../tokens/find-token.ts';
import { isSignedRefresh, nextSecret, signRefresh } from './refresh-signature.ts';
import { removalFailure } from './removed-sessions.ts';
import { readRefresh } from './rotate-session.ts';
import { findSession, type FoundMember, isId, touchSession } from './sessions.ts';

const issuer = 'riskboard';

interface Claims {
  sub: string;
  sid: string;
}

/** Identifies the caller of a request and signs session cookies. */
export interface Sessions {
  /**
   * Checks the session's or token's row at every call.
   * @throws Failure not_signed_in or session_expired; session_changed when the page shows another account or organization
   */
  identify(request: FastifyRequest): Promise<Caller>;
  /** The same for a caller who was identified before: the row is checked, not the time of the cookie. */
  identifyAgain(caller: Caller): Promise<Caller>;
  user(request: FastifyRequest): Promise<User>;
  /**
   * The session or token that calls are counted by; undefined for a caller without one, who is counted by address. A
   * token counts after its first call in this process, because an unknown one costs a query.
   */
  countedBy(request: FastifyRequest): string | undefined;
  /**
   * The failure for a browser whose session ended because the person with this email was removed and, being in no other
   * organization, no longer has an account. Undefined for any other browser or email.
   */
  removal(request: FastifyRequest, email: string): Promise<Failure | undefined>;
  sign(claims: Claims): string;
  /** Adds a signature to a refresh token: without one it would outlive a change of the secret. */
  signRefresh(token: string): string;
  /** The secret that follows that of a refresh token. */
  nextSecret(token: string): string;
  /**
   * Whether a refresh token is signed with a secret in use. One from before tokens were signed needs the session cookie,
   * even an expired one, of the same session.
   */
  acceptsRefresh(request: FastifyRequest, token: string): boolean;
  /** The id by which this browser is counted at sign-in, if it had a session of this account before. */
  deviceOf(request: FastifyRequest, email: string): string | undefined;
  /** Lets this browser be recognized as one that had a session of this account. */
  rememberDevice(reply: FastifyReply, email: string): void;
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

interface Found extends FoundMember {
  sessionId: string | null;
  tokenId: string | null;
}

/** The token of `Authorization: Bearer …`; other schemes are ignored. */
function readBearer(request: FastifyRequest): string | undefined {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(/ +/u);
  return scheme.toLowerCase() === 'bearer' ? token : undefined;
}

/** A device token is not a session. */
const deviceAudience = 'riskboard-device';
const deviceSeconds = 90 * 24 * 3600;
/** A cookie need not contain an email address. */
const accountOf = (email: string): string => accountKey(email).toString('base64url');

const invalidToken = () => new Failure('not_signed_in', 'The API token is not valid.');

const mostKnownTokens = 10_000;
const tokenKey = (token: string): string => tokenHash(token).toString('base64');

interface SessionOptions {
  database: Database;
  /** The first one signs; all are accepted. */
  secrets: readonly string[];
}

async function registerSessions(app: FastifyInstance, { database, secrets }: SessionOptions): Promise<void> {
  await app.register(cookie);
  await app.register(jwt, {
    secret: secrets[0] ?? '',
    sign: { algorithm: 'HS256', expiresIn: '10m', iss: issuer, aud: issuer },
    verify: {
      algorithms: ['HS256'],
      allowedIss: issuer,
      allowedAud: issuer,
      // Without this a token without these claims would be accepted.
      requiredClaims: ['exp', 'iat', 'iss', 'aud', 'sub', 'sid'],
    },
  });

  /** The claims of a valid token; the reason of a failure is not revealed. */
  function readClaims(token: string, options: { allowedAud?: string; ignoreExpiration?: boolean } = {}) {
    for (const key of secrets) {
      try {
        return app.jwt.verify<Claims>(token, { key, allowedAud: issuer, ...options });
      } catch {
        // Signed with another secret, or invalid.
      }
    }
    return undefined;
  }

  /** The failure for the cookie, even an expired one, of a member who was removed. */
  async function removalOf(token: string): Promise<Failure | undefined> {
    const sid = readClaims(token, { ignoreExpiration: true })?.sid;
    return sid !== undefined && isId(sid) ? removalFailure(database, sid) : undefined;
  }

  async function hasAccount(id: string): Promise<boolean> {
    const { rows } = await sql`select from account where id = ${id}`.execute(database.system);
    return rows.length > 0;
  }

  async function bySession(token: string, request: FastifyRequest): Promise<Found> {
    const claims = readClaims(token);
    const found = claims && isId(claims.sid) ? await findSession(database, claims.sid) : undefined;
    if (!claims || !found || found.user._id !== claims.sub) {
      throw (await removalOf(token)) ?? new Failure('session_expired');
    }
    requireSignedInAs(request, found.user);
    if (found.stale) await touchSession(database, claims.sid);
    return { ...found, sessionId: claims.sid, tokenId: null };
  }

  /** Ids of tokens that were valid at their last call, by hash. */
  const knownTokens = new Map<string, string>();

  function rememberToken(key: string, tokenId: string): void {
    knownTokens.delete(key);
    knownTokens.set(key, tokenId);
    const [oldest] = knownTokens.keys();
    if (knownTokens.size > mostKnownTokens && oldest !== undefined) knownTokens.delete(oldest);
  }

  async function byToken(token: string, { log, ip }: FastifyRequest): Promise<Found> {
    const found = await findToken(database, token);
    if (found) rememberToken(tokenKey(token), found.tokenId);
    if (!found) {
      knownTokens.delete(tokenKey(token));
      log.warn({ address: ip }, 'API token refused');
      throw invalidToken();
    }
    if (found.stale) await touchToken(database, found.tokenId);
    return { ...found, sessionId: null };
  }

  /** An API token takes precedence over a cookie. */
  function find(request: FastifyRequest): Promise<Found> {
    const bearer = readBearer(request);
    if (bearer !== undefined) return byToken(bearer, request);
    const token = readSessionCookie(request);
    if (!token) throw new Failure('not_signed_in');
    return bySession(token, request);
  }

  function knownDevice(request: FastifyRequest, email: string): string | undefined {
    const known = readClaims(readDeviceCookie(request) ?? '', { allowedAud: deviceAudience });
    return known?.sub === accountOf(email) ? known.sid : undefined;
  }

  async function findAgain({ sessionId, tokenId }: Caller): Promise<FoundMember> {
    if (tokenId !== null) {
      const found = await findTokenById(database, tokenId);
      if (!found) throw invalidToken();
      return found;
    }
    const found = sessionId === null ? undefined : await findSession(database, sessionId);
    if (found) return found;
    const removed = sessionId === null ? undefined : await removalFailure(database, sessionId);
    throw removed ?? new Failure('session_expired');
  }

  const rightsOf = ({ user, deleting }: FoundMember) => ({
    role: user.role,
    lacksSecondFactor: user.secondFactorRequired && !user.secondFactor,
    deleting,
  });

  app.decorateRequest('caller', null);
  app.decorateRequest('access', null);
  app.decorate('sessions', {
    async identify(request) {
      const found = await find(request);
      const { user, sessionId, tokenId } = found;
      return {
        organizationId: user.organizationId,
        accountId: user._id,
        sessionId,
        tokenId,
        actor: actorOf(user),
        address: request.ip,
        device: sessionId === null ? undefined : knownDevice(request, user.email),
        ...rightsOf(found),
      };
    },
    identifyAgain: async (caller) => ({ ...caller, ...rightsOf(await findAgain(caller)) }),
    user: async (request) => (await find(request)).user,
    countedBy(request) {
      const bearer = readBearer(request);
      if (bearer !== undefined) return knownTokens.get(tokenKey(bearer));
      return readClaims(readSessionCookie(request) ?? '')?.sid;
    },
    async removal(request, email) {
      if (knownDevice(request, email) === undefined) return undefined;
      const claims = readClaims(readSessionCookie(request) ?? '', { ignoreExpiration: true });
      if (!claims || (await hasAccount(claims.sub))) return undefined;
      return removalOf(readSessionCookie(request) ?? '');
    },
    sign: (claims) => app.jwt.sign({ ...claims, jti: randomUUID() }),
    signRefresh: (token) => signRefresh(token, secrets[0] ?? ''),
    nextSecret: (token) => nextSecret(token, secrets[0] ?? ''),
    acceptsRefresh(request, token) {
      const holdsCookie = () =>
        readClaims(readSessionCookie(request) ?? '', { ignoreExpiration: true })?.sid ===
        readRefresh(token)?.id;
      return isSignedRefresh(token, secrets) ?? holdsCookie();
    },
    deviceOf: knownDevice,
    rememberDevice(reply, email) {
      const sid = knownDevice(reply.request, email) ?? randomUUID();
      const jwt = app.jwt.sign(
        { sub: accountOf(email), sid, jti: randomUUID() },
        { algorithm: 'HS256', expiresIn: '90d', iss: issuer, aud: deviceAudience },
      );
      setDeviceCookie(reply, jwt, deviceSeconds);
    },
  });
}

export const sessionPlugin = plugin(registerSessions, { name: 'sessions' });
