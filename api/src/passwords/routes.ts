import { passwords } from '@riskboard/contract/schemas';
import type { Database } from '@riskboard/db';
import { notifyMailSender } from '@riskboard/queue';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { countMail } from '../lib/mail/mail-limit.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { serve } from '../lib/http/serve.ts';
import { createSeal } from '../second-factor/seal.ts';
import { clearSessionCookies } from '../sessions/cookies.ts';
import { deviceOf, sendSession } from '../sessions/send-session.ts';
import { publishSessionsEnded } from '../sessions/sessions.ts';
import { changePassword } from './change-password.ts';
import { resetPassword } from './reset-password.ts';

/** Identical for every address (ASVS 5.0, 6.3.8). */
const linkSent = 'If an account exists for this address, a reset link has been emailed to it.';

export function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);

  serve(
    app,
    { tag: 'passwords', table: passwords },
    {
      async forgot({ body }) {
        await requestPasswordReset(database, body.email);
        void notifyMailSender(deps.relay);
        return { message: linkSent };
      },

      async reset({ body, request, reply }) {
        const ended = await resetPassword(
          { database, verifyEmail: config.verifyEmail ?? false },
          body,
          request.ip,
        );
        request.log.info('password reset');
        void notifyMailSender(deps.relay);
        await publishSessionsEnded(deps, ended);
        clearSessionCookies(reply);
        return { message: 'Your password has been changed. Please log in.' };
      },

      async change({ body, caller, request, reply }) {
        const renewing = { caller, device: deviceOf(request) };
        const { signedIn, ended } = await changePassword({ database, seal }, body, renewing);
        sendSession(reply, signedIn);
        void notifyMailSender(deps.relay);
        await publishSessionsEnded(deps, ended);
        return { success: true as const };
      },
    },
  );
}

/**
 * Requests a mail with a link to set a new password. Accounts are not looked up, so that neither the reply nor its
 * timing reveals which addresses have one; the worker checks when it sends the mail.
 */
async function requestPasswordReset(database: Database, email: string): Promise<void> {
  await database.system.transaction().execute(async (trx) => {
    if (!(await countMail(trx, email.toLowerCase()))) return;
    await requestMail(trx, { kind: 'password-reset', email });
  });
}
