import { secondFactor } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { notifyMailWorker } from '../lib/mail/request-mail.ts';
import { serve } from '../lib/http/serve.ts';
import { publishSessionsEnded } from '../sessions/sessions.ts';
import { disableSecondFactor, renewRecoveryCodes } from './manage.ts';
import { createSeal } from './seal.ts';
import { beginSetUp, confirmSetUp } from './set-up.ts';
import { secondFactorState } from './state.ts';

export function secondFactorRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);

  serve(
    app,
    { tag: 'second factor', table: secondFactor },
    {
      get: ({ caller }) => secondFactorState(database.system, caller.accountId),

      begin: ({ body, caller }) => beginSetUp({ database, seal }, caller, body.password),

      async confirm({ body, caller }) {
        const { recoveryCodes, endedSessions } = await confirmSetUp({ database, seal }, caller, body.code);
        void notifyMailWorker(deps);
        await publishSessionsEnded(deps, endedSessions);
        return { recoveryCodes };
      },

      async newRecoveryCodes({ body, caller }) {
        const recoveryCodes = await renewRecoveryCodes(database, caller, body.password);
        void notifyMailWorker(deps);
        return { recoveryCodes };
      },

      async disable({ body, caller }) {
        await disableSecondFactor(database, caller, body.password);
        void notifyMailWorker(deps);
        return { success: true as const };
      },
    },
  );
}
