import type { Database } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { activityRow } from '../lib/activity/record-activity.ts';
import { readRefresh } from './rotate-session.ts';

/** A session by its id or by one of its refresh tokens. */
export type Leaving = { sessionId: string } | { refresh: string };

function condition(leaving: Leaving): RawBuilder<unknown> | undefined {
  if ('sessionId' in leaving) return sql`s.id = ${leaving.sessionId}`;
  const presented = readRefresh(leaving.refresh);
  if (!presented) return undefined;
  const { id, hash } = presented;
  return sql`s.id = ${id} and (s.refresh_hash = ${hash}
    or exists (select from rotated_secret r where r.session_id = s.id and r.hash = ${hash}))`;
}

interface EndedRow {
  id: string;
  account_id: string;
  organization_id: string;
  email: string;
  firstName: string;
  lastName: string;
}

/** Ends a session on log-out and records it. @returns its id; undefined when no such session is live */
export async function signOut(
  database: Database,
  leaving: Leaving,
  address: string,
): Promise<string | undefined> {
  const which = condition(leaving);
  if (!which) return undefined;
  return database.system.transaction().execute(async (trx) => {
    const { rows } = await sql<EndedRow>`
      update session s set ended_at = now() from account a
      where a.id = s.account_id and s.ended_at is null and ${which}
      returning s.id, s.account_id, s.organization_id, a.email::text, a.first_name as "firstName",
        a.last_name as "lastName"`.execute(trx);
    const ended = rows[0];
    if (!ended) return undefined;
    const actor = actorOf(ended);
    const caller = {
      organizationId: ended.organization_id,
      accountId: ended.account_id,
      actor,
      address,
      tokenId: null,
    };
    const entry = { action: 'account.signed-out' as const, nounId: ended.account_id, name: actor };
    await trx.insertInto('activity').values(activityRow(caller, entry)).execute();
    return ended.id;
  });
}
