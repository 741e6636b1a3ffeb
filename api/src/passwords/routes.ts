import { passwords } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { notifyMailWorker } from '../lib/mail/request-mail.ts';
import { serve } from '../lib/http/serve.ts';
import { clearSessionCookies } from '../sessions/cookies.ts';
import { tellEnded } from '../sessions/sessions.ts';
import { changePassword } from './change-password.ts';
import { askForReset } from './forgot-password.ts';
import { resetPassword } from './reset-password.ts';

/** The same for every address (ASVS 5.0, 6.3.8). */
const onItsWay = 'If an account exists for this address, a link to set a new password is on its way.';

export function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

  serve(
    app,
    { tag: 'passwords', table: passwords },
    {
      async forgot({ body }) {
        await askForReset(database, body.email);
        void notifyMailWorker(deps);
        return { message: onItsWay };
      },

      async reset({ body, request, reply }) {
        const ended = await resetPassword(database, body, request.ip);
        request.log.info('password reset');
        void notifyMailWorker(deps);
        await tellEnded(deps, ended);
        clearSessionCookies(reply);
        return { message: 'Your password has been changed. Please log in.' };
      },

      async change({ body, caller }) {
        const ended = await changePassword(database, body, caller);
        void notifyMailWorker(deps);
        await tellEnded(deps, ended);
        return { success: true as const };
      },
    },
  );
}
