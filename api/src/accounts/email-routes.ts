import { emailChange } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { notifyMailWorker } from '../lib/mail/request-mail.ts';
import { serve } from '../lib/http/serve.ts';
import { askForEmail } from './ask-for-email.ts';
import { confirmEmail } from './confirm-email.ts';
import { memberChanged } from './member-changed.ts';

/** The same for every address (ASVS 5.0, 6.3.8). */
const onItsWay = 'A link to confirm the new address is on its way to it. Until then nothing changes.';

export function emailRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

  serve(
    app,
    { tag: 'accounts', table: emailChange },
    {
      async ask({ body, caller }) {
        await askForEmail(database, body, caller);
        void notifyMailWorker(deps);
        return { message: onItsWay };
      },

      async confirm({ body, request }) {
        const { accountId, organizationIds } = await confirmEmail(database, body.token, request.ip);
        request.log.info({ accountId }, 'email address changed');
        void notifyMailWorker(deps);
        await memberChanged(deps, request.log, { accountId, organizationIds });
        return { message: 'Your email address has been changed. Log in with it from now on.' };
      },
    },
  );
}
