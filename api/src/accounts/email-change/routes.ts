import { emailChange } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { notifyMailWorker } from '../../lib/mail/request-mail.ts';
import { serve } from '../../lib/http/serve.ts';
import { createSeal } from '../../second-factor/seal.ts';
import { requestEmailChange } from './request-email-change.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { publishMemberChange } from '../../organizations/publish-changes.ts';

/** Identical for every address (ASVS 5.0, 6.3.8). */
const linkSent = 'We sent a confirmation link to the new address. Your address changes when you open it.';

export function emailRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);

  serve(
    app,
    { tag: 'accounts', table: emailChange },
    {
      async ask({ body, caller }) {
        await requestEmailChange({ database, seal }, body, caller);
        void notifyMailWorker(deps);
        return { message: linkSent };
      },

      async confirm({ body, request }) {
        const { accountId, organizationIds } = await confirmEmailChange(database, body.token, request.ip);
        request.log.info({ accountId }, 'email address changed');
        void notifyMailWorker(deps);
        await publishMemberChange(deps, request.log, { accountId, organizationIds });
        return { message: 'Your email address has been changed. Use it the next time you log in.' };
      },
    },
  );
}
