import { errors } from '@riskboard/contract';
import { accounts } from '@riskboard/contract/schemas';
import { notifyMailSender } from '@riskboard/queue';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { createSeal } from '../second-factor/seal.ts';
import { clearSessionCookies, readRefreshCookie } from '../sessions/cookies.ts';
import { rotateSession } from '../sessions/rotate-session.ts';
import { publishSessionsEnded } from '../sessions/sessions.ts';
import { signOut } from '../sessions/sign-out.ts';
import { deviceOf, sendSession } from '../sessions/send-session.ts';
import type { Entered } from './enter-organization.ts';
import { logIn } from './login.ts';
import { publishMemberChange } from '../organizations/publish-changes.ts';
import { listMemberships, switchTo } from './memberships.ts';
import { updateProfile } from './profile.ts';
import { signUp } from './signup.ts';

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);

  /** A browser has one session: signing in ends the previous one (ASVS 5.0, 7.2.4). */
  async function endPreviousSession(request: FastifyRequest): Promise<void> {
    const ended = await signOut(database, { refresh: readRefreshCookie(request) ?? '' }, request.ip);
    if (ended) await publishSessionsEnded(deps, [ended]);
  }

  async function publishJoined(log: FastifyBaseLogger, { joined, user }: Entered): Promise<void> {
    if (joined) await publishMemberChange(deps, log, { accountId: user._id, organizationIds: [joined] });
  }

  serve(
    app,
    { tag: 'accounts', table: accounts },
    {
      async signup({ body, request, reply }) {
        const { displaced, ...entered } = await signUp(database, body, {
          signup: config.signup,
          verifyEmail: config.verifyEmail ?? false,
          device: deviceOf(request),
        });
        if (config.verifyEmail) void notifyMailSender(deps.relay);
        if (displaced) await publishMemberChange(deps, request.log, displaced);
        request.log.info({ accountId: entered.user._id }, 'signed up');
        await endPreviousSession(request);
        await publishJoined(request.log, entered);
        return sendSession(reply, entered);
      },

      async login({ body, request, reply }) {
        const knownAs = app.sessions.deviceOf(request, body.email);
        const device = { ...deviceOf(request), knownAs };
        const entered = await logIn({ database, seal }, body, device).catch(async (error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          request.log.warn({ address: request.ip, code: error.code }, 'sign-in failed');
          if (error.code !== 'invalid_credentials') throw error;
          throw (await app.sessions.removal(request, body.email)) ?? error;
        });
        request.log.info({ accountId: entered.user._id }, 'signed in');
        await endPreviousSession(request);
        // The use of a recovery code is reported by mail.
        if (body.code) void notifyMailSender(deps.relay);
        await publishJoined(request.log, entered);
        return sendSession(reply, entered);
      },

      async refresh({ request, reply }) {
        const token = readRefreshCookie(request);
        if (!token) throw new Failure('not_signed_in');
        const onReuse = async (sessionId: string) => {
          request.log.warn({ sessionId, address: request.ip }, 'refresh secret reused; session ended');
          await publishSessionsEnded(deps, [sessionId]);
        };
        try {
          if (!app.sessions.acceptsRefresh(request, token)) throw new Failure('session_expired');
          return sendSession(
            reply,
            await rotateSession(database, { token, next: app.sessions.nextSecret(token) }, onReuse),
          );
        } catch (error) {
          if (error instanceof Failure) clearSessionCookies(reply);
          throw error;
        }
      },

      async logout({ request, reply }) {
        // With an expired session cookie the refresh secret identifies the session.
        const caller = await app.sessions.identify(request).catch((error: unknown) => {
          if (error instanceof Failure && errors[error.code].status === 401) return undefined;
          throw error;
        });
        const leaving = caller?.sessionId
          ? { sessionId: caller.sessionId }
          : { refresh: readRefreshCookie(request) ?? '' };
        const ended = await signOut(database, leaving, request.ip);
        if (ended) await publishSessionsEnded(deps, [ended]);
        clearSessionCookies(reply);
        return { success: true as const };
      },

      async me({ request }) {
        return { user: await app.sessions.user(request) };
      },

      async updateMe({ body, caller, request }) {
        const organizationIds = await updateProfile(database, body, caller);
        await publishMemberChange(deps, request.log, { accountId: caller.accountId, organizationIds });
        return { user: await app.sessions.user(request) };
      },

      async memberships({ caller }) {
        return { memberships: await listMemberships(database, caller) };
      },

      async switchOrganization({ body, caller, request, reply }) {
        const { organizationId } = body;
        const entered = await switchTo(database, { caller, organizationId }, deviceOf(request));
        if (caller.sessionId) await publishSessionsEnded(deps, [caller.sessionId]);
        return sendSession(reply, entered);
      },
    },
  );
}
