import { accounts, sessionEndedTopic } from '@riskboard/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/failure.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { serve } from '../lib/serve.ts';
import { clearSessionCookies, readRefreshCookie, setSessionCookies } from '../sessions/cookies.ts';
import {
  admitAttempt,
  type Attempt,
  forgetFailures,
  recordFailure,
  slowDownGuessing,
} from './login-failures.ts';
import { passwordMatches } from '../passwords/hash.ts';
import {
  endSession,
  endSessionOfToken,
  rotateSession,
  type SignedIn,
  startSession,
} from '../sessions/sessions.ts';
import { createAccount } from './signup.ts';

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, relay, config } = deps;

  function welcome(reply: FastifyReply, signedIn: SignedIn) {
    const jwt = app.sessions.sign({ sub: signedIn.user._id, sid: signedIn.sessionId });
    setSessionCookies(reply, { jwt, ...(signedIn.refresh ? { refresh: signedIn.refresh } : {}) });
    return { user: signedIn.user };
  }

  const device = (request: FastifyRequest) => ({
    userAgent: request.headers['user-agent'] ?? '',
    address: request.ip,
  });

  const tellEnded = (sessionId: string) => relay.publish(sessionEndedTopic(sessionId), { sessionId });

  const oneByOne = oneAtATime();

  const findAccount = (email: string) =>
    database.system
      .selectFrom('account')
      .innerJoin('membership', 'membership.account_id', 'account.id')
      .select(['account.id', 'account.password_hash', 'membership.organization_id'])
      .where('email', '=', email.trim())
      .orderBy('membership.created_at')
      .executeTakeFirst();

  /** @throws Failure 401 for a wrong pair, 429 after too many of them. */
  async function checkPassword(attempt: Attempt, password: string) {
    await admitAttempt(database, attempt);
    const account = await findAccount(attempt.email);
    if (!(await passwordMatches(account?.password_hash, password)) || !account) {
      await recordFailure(database, attempt);
      throw new Failure('invalid_credentials');
    }
    await forgetFailures(database, attempt);
    return account;
  }

  serve(
    app,
    { tag: 'accounts', table: accounts },
    {
      async signup({ body, request, reply }) {
        const made = await createAccount(database, body, config.signup);
        request.log.info({ accountId: made.accountId }, 'signed up');
        return welcome(reply, await startSession(database, { ...made, ...device(request) }));
      },

      async login({ body, request, reply }) {
        const attempt = { email: body.email, address: request.ip };
        await slowDownGuessing(database, attempt);
        // A thousand guesses at once would all be admitted before the first of them is counted.
        const account = await oneByOne(request.ip, () => checkPassword(attempt, body.password)).catch(
          (error: unknown) => {
            if (error instanceof Failure) request.log.warn({ address: request.ip }, 'sign-in failed');
            throw error;
          },
        );
        request.log.info({ accountId: account.id }, 'signed in');
        return welcome(
          reply,
          await startSession(database, {
            accountId: account.id,
            organizationId: account.organization_id,
            ...device(request),
          }),
        );
      },

      async refresh({ request, reply }) {
        const token = readRefreshCookie(request);
        if (!token) throw new Failure('not_signed_in');
        try {
          return welcome(reply, await rotateSession(database, token, tellEnded));
        } catch (error) {
          if (error instanceof Failure) clearSessionCookies(reply);
          throw error;
        }
      },

      async logout({ request, reply }) {
        // An expired session cookie still logs out by its refresh secret; with neither there is nothing to end.
        const caller = await app.sessions.identify(request).catch(() => undefined);
        if (caller) await endSession(database, caller.sessionId);
        const ended =
          caller?.sessionId ?? (await endSessionOfToken(database, readRefreshCookie(request) ?? ''));
        if (ended) await tellEnded(ended);
        clearSessionCookies(reply);
        return { success: true as const };
      },

      async me({ request }) {
        return { user: await app.sessions.user(request) };
      },
    },
  );
}
