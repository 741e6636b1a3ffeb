import type { Session } from '@riskboard/contract';
import { sessions } from '@riskboard/contract/schemas';
import type { Database } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { recordAccountActivity } from '../accounts/account-activity.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { confirmPassword, lockConfirmed } from '../passwords/confirm-password.ts';
import { revokeTokensOf } from '../tokens/tokens.ts';
import { clearSessionCookies } from './cookies.ts';
import { endSessionsOf, publishSessionsEnded, sessionIsLive } from './sessions.ts';

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
        const confirmed = await confirmPassword(database, caller, body.password);
        const ended = await database.system.transaction().execute(async (trx) => {
          // Locked so that a token that is being created now is not missed.
          await lockConfirmed(trx, caller, confirmed);
          const sessionIds = await endSessionsOf({ system: trx }, { accountId: caller.accountId });
          const tokenIds = body.revokeTokens ? await revokeTokensOf(trx, caller.accountId) : [];
          await recordAccountActivity(trx, caller, {
            action: 'account.sessions-ended',
            detail: { ended: sessionIds.length, tokensRevoked: tokenIds.length },
          });
          return { sessionIds, tokenIds };
        });
        await publishSessionsEnded(deps, [...ended.sessionIds, ...ended.tokenIds]);
        clearSessionCookies(reply);
        return {
          success: true as const,
          ended: ended.sessionIds.length,
          tokensRevoked: ended.tokenIds.length,
        };
      },
    },
  );
}

interface SessionRow {
  id: string;
  organization: string;
  user_agent: string;
  address: string;
  created_at: Date;
  last_used_at: Date;
}

/** The live sessions of a person in all organizations: the current one first, then the most recently used. */
async function listSessions(
  database: Database,
  { accountId, sessionId }: { accountId: string; sessionId: string | null },
): Promise<Session[]> {
  const { rows } = await sql<SessionRow>`
    select s.id, o.name as organization, s.user_agent, s.address, s.created_at, s.last_used_at
    from session s join organization o using (organization_id)
    where s.account_id = ${accountId} and ${sessionIsLive}
    order by s.id = ${sessionId} desc, s.last_used_at desc, s.id desc`.execute(database.system);
  return rows.map((row) => ({
    _id: row.id,
    current: row.id === sessionId,
    organization: row.organization,
    userAgent: row.user_agent,
    address: row.address,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
  }));
}
