import { secondFactor } from '@riskboard/contract/schemas';
import { notifyMailSender } from '@riskboard/queue';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/http/serve.ts';
import { deviceOf, sendSession } from '../sessions/send-session.ts';
import { publishSessionsEnded } from '../sessions/sessions.ts';
import { disableSecondFactor, renewRecoveryCodes } from './manage.ts';
import { createSeal } from './seal.ts';
import { beginSetUp, confirmSetUp } from './set-up.ts';
import { secondFactorState } from './state.ts';

export function secondFactorRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);
  const verifyEmail = config.verifyEmail ?? false;

  serve(
    app,
    { tag: 'second factor', table: secondFactor },
    {
      get: ({ caller }) => secondFactorState(database.system, caller.accountId),

      async begin({ body, caller }) {
        const begun = await beginSetUp({ database, seal, verifyEmail }, caller, body);
        // The use of a recovery code is reported by mail.
        if (body.code) void notifyMailSender(deps.relay);
        return begun;
      },

      async confirm({ body, caller, request, reply }) {
        const { recoveryCodes, signedIn, ended } = await confirmSetUp(
          { database, seal, verifyEmail },
          { caller, device: deviceOf(request) },
          body.code,
        );
        sendSession(reply, signedIn);
        void notifyMailSender(deps.relay);
        await publishSessionsEnded(deps, ended);
        return { recoveryCodes };
      },

      async newRecoveryCodes({ body, caller }) {
        const recoveryCodes = await renewRecoveryCodes({ database, seal }, caller, body);
        void notifyMailSender(deps.relay);
        return { recoveryCodes };
      },

      async disable({ body, caller, request, reply }) {
        const renewing = { caller, device: deviceOf(request) };
        const renewed = await disableSecondFactor({ database, seal }, renewing, body);
        if (renewed) sendSession(reply, renewed.signedIn);
        void notifyMailSender(deps.relay);
        await publishSessionsEnded(deps, renewed?.ended ?? []);
        return { success: true as const };
      },
    },
  );
}
