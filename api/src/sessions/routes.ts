import { sessions } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import { recordAccountActivity } from '../accounts/account-activity.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { confirmPassword } from '../passwords/confirm-password.ts';
import { clearSessionCookies } from './cookies.ts';
import { listSessions } from './list-sessions.ts';
import { endSessionsOf, publishSessionsEnded } from './sessions.ts';

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

  serve(
    app,
    { tag: 'sessions', table: sessions },
    {
      async list({ caller }) {
        return { sessions: await listSessions(database, caller) };
      },

      // Ending sessions requires the password (ASVS 5.0, 7.5.2).
      async end({ params, body, caller, reply }) {
        await confirmPassword(database, caller, body.password);
        const ended = await database.system.transaction().execute(async (trx) => {
          const ids = await endSessionsOf({ system: trx }, { accountId: caller.accountId, only: params.id });
          if (ids.length === 0) throw new Failure('not_found');
          await recordAccountActivity(trx, caller, {
            action: 'account.sessions-ended',
            detail: { ended: 1 },
          });
          return ids;
        });
        await publishSessionsEnded(deps, ended);
        if (params.id === caller.sessionId) clearSessionCookies(reply);
        return { success: true as const, _id: params.id, id: params.id };
      },

      async endAll({ body, caller, reply }) {
        await confirmPassword(database, caller, body.password);
        const ended = await database.system.transaction().execute(async (trx) => {
          const ids = await endSessionsOf({ system: trx }, { accountId: caller.accountId });
          await recordAccountActivity(trx, caller, {
            action: 'account.sessions-ended',
            detail: { ended: ids.length },
          });
          return ids;
        });
        await publishSessionsEnded(deps, ended);
        clearSessionCookies(reply);
        return { success: true as const, ended: ended.length };
      },
    },
  );
}
