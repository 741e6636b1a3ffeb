import { emailChange } from '@riskboard/contract/schemas';
import { notifyMailSender } from '@riskboard/queue';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { serve } from '../../lib/http/serve.ts';
import { createSeal } from '../../second-factor/seal.ts';
import { requestEmailChange } from './request-email-change.ts';
import { readAddress, resendLink } from './verification.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { publishMemberChange } from '../../organizations/publish-changes.ts';

/** Identical for every address (ASVS 5.0, 6.3.8). */
const linkSent = 'We sent a confirmation link to the new address. Your address changes when you open it.';

const addressConfirmed = 'Your email address has been confirmed.';
const addressChanged = 'Your email address has been changed. Use it the next time you log in.';

export function emailRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);

  serve(
    app,
    { tag: 'accounts', table: emailChange },
    {
      async get({ caller }) {
        const address = await readAddress(database.system, caller.accountId);
        return { ...address, verificationRequired: config.verifyEmail ?? false };
      },

      async verify({ caller }) {
        await resendLink(database, caller);
        void notifyMailSender(deps.relay);
        return { message: 'We sent a confirmation link to your address.' };
      },

      async ask({ body, caller }) {
        await requestEmailChange({ database, seal }, body, caller);
        void notifyMailSender(deps.relay);
        return { message: linkSent };
      },

      async confirm({ body, request }) {
        const { account, displaced, verifiedOnly } = await confirmEmailChange(database, body.token, {
          address: request.ip,
          displaces: config.verifyEmail ?? false,
        });
        request.log.info({ accountId: account.accountId, verifiedOnly }, 'email address confirmed');
        void notifyMailSender(deps.relay);
        await publishMemberChange(deps, request.log, account);
        if (displaced) await publishMemberChange(deps, request.log, displaced);
        return { message: verifiedOnly ? addressConfirmed : addressChanged };
      },
    },
  );
}
