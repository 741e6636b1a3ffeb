import { accounts } from '@riskboard/contract/schemas';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { notifyMailWorker } from '../lib/mail/request-mail.ts';
import { serve } from '../lib/http/serve.ts';
import { createSeal } from '../second-factor/seal.ts';
import { clearSessionCookies, readRefreshCookie } from '../sessions/cookies.ts';
import { rotateSession } from '../sessions/rotate-session.ts';
import { tellEnded } from '../sessions/sessions.ts';
import { signOut } from '../sessions/sign-out.ts';
import { deviceOf, welcome } from '../sessions/welcome.ts';
import type { Entered } from './enter.ts';
import { logIn } from './login.ts';
import { memberChanged } from './member-changed.ts';
import { listMemberships, switchTo } from './memberships.ts';
import { updateProfile } from './profile.ts';
import { signUp } from './signup.ts';

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);

  /** A browser has one session: whoever signs in over another one has left it (ASVS 5.0, 7.2.4). */
  async function leaveSessionBefore(request: FastifyRequest): Promise<void> {
    const ended = await signOut(database, { refresh: readRefreshCookie(request) ?? '' }, request.ip);
    if (ended) await tellEnded(deps, [ended]);
  }

  /** Whoever used an invitation is a new member there. */
  async function tellJoined(log: FastifyBaseLogger, { joined, user }: Entered): Promise<void> {
    if (joined) await memberChanged(deps, log, { accountId: user._id, organizationIds: [joined] });
  }

  serve(
    app,
    { tag: 'accounts', table: accounts },
    {
      async signup({ body, request, reply }) {
        const entered = await signUp(database, body, { signup: config.signup, device: deviceOf(request) });
        request.log.info({ accountId: entered.user._id }, 'signed up');
        await leaveSessionBefore(request);
        await tellJoined(request.log, entered);
        return welcome(reply, entered);
      },

      async login({ body, request, reply }) {
        const entered = await logIn({ database, seal }, body, deviceOf(request)).catch((error: unknown) => {
          if (error instanceof Failure) {
            request.log.warn({ address: request.ip, code: error.code }, 'sign-in failed');
          }
          throw error;
        });
        request.log.info({ accountId: entered.user._id }, 'signed in');
        await leaveSessionBefore(request);
        // A recovery code that was used is worth a mail.
        if (body.code) void notifyMailWorker(deps);
        await tellJoined(request.log, entered);
        return welcome(reply, entered);
      },

      async refresh({ request, reply }) {
        const token = readRefreshCookie(request);
        if (!token) throw new Failure('not_signed_in');
        const onReuse = async (sessionId: string) => {
          request.log.warn({ sessionId, address: request.ip }, 'refresh secret used twice; session ended');
          await tellEnded(deps, [sessionId]);
        };
        try {
          return welcome(reply, await rotateSession(database, token, onReuse));
        } catch (error) {
          if (error instanceof Failure) clearSessionCookies(reply);
          throw error;
        }
      },

      async logout({ request, reply }) {
        // An expired session cookie still logs out by its refresh secret; with neither there is nothing to end.
        const caller = await app.sessions.identify(request).catch(() => undefined);
        const leaving = caller?.sessionId
          ? { sessionId: caller.sessionId }
          : { refresh: readRefreshCookie(request) ?? '' };
        const ended = await signOut(database, leaving, request.ip);
        if (ended) await tellEnded(deps, [ended]);
        clearSessionCookies(reply);
        return { success: true as const };
      },

      async me({ request }) {
        return { user: await app.sessions.user(request) };
      },

      async updateMe({ body, caller, request }) {
        const organizationIds = await updateProfile(database, body, caller);
        await memberChanged(deps, request.log, { accountId: caller.accountId, organizationIds });
        return { user: await app.sessions.user(request) };
      },

      async memberships({ caller }) {
        return { memberships: await listMemberships(database, caller) };
      },

      async switchOrganization({ body, caller, request, reply }) {
        const { organizationId } = body;
        const entered = await switchTo(database, { caller, organizationId }, deviceOf(request));
        if (caller.sessionId) await tellEnded(deps, [caller.sessionId]);
        return welcome(reply, entered);
      },
    },
  );
}
