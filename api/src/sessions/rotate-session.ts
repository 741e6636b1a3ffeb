import type { Database } from '@riskboard/db';
import { sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import {
  digest,
  endSession,
  findSession,
  isId,
  newSecret,
  sessionIsLive,
  type SignedIn,
} from './sessions.ts';

/** The previous secret remains valid this long, because two tabs may refresh at once. */
const grace = sql`interval '10 seconds'`;

/** Parses a refresh token: the session's id and the hash of its secret. */
export function readRefresh(token: string): { id: string; hash: Buffer } | undefined {
  const [id = '', secret = ''] = token.split('.');
  return isId(id) ? { id, hash: digest(secret) } : undefined;
}

/**
 * Exchanges a refresh secret for the next one. The reuse of a rotated secret means that two parties have it: the session
 * ends (contract, Accounts).
 * @param onReuse called with the id of a session that ended for this reason
 * @throws Failure session_expired
 */
export async function rotateSession(
  database: Database,
  token: string,
  onReuse: (sessionId: string) => Promise<void>,
): Promise<SignedIn> {
  const presented = readRefresh(token);
  if (!presented) throw new Failure('session_expired');
  const { id, hash } = presented;
  const secret = newSecret();
  const rotated = await sql`
    update session s set refresh_hash = ${digest(secret)}, previous_hash = refresh_hash, rotated_at = now(), last_used_at = now()
    where s.id = ${id} and s.refresh_hash = ${hash} and ${sessionIsLive}
    returning s.id`.execute(database.system);
  const refreshed = rotated.rows.length === 1;
  if (!refreshed) await admitPrevious(database, presented, onReuse);
  const found = await findSession(database, id);
  if (!found) throw new Failure('session_expired');
  return { sessionId: id, user: found.user, ...(refreshed ? { refresh: `${id}.${secret}` } : {}) };
}

async function admitPrevious(
  database: Database,
  { id, hash }: { id: string; hash: Buffer },
  onReuse: (sessionId: string) => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ recent: boolean; previous: boolean }>`
    select rotated_at > now() - ${grace} as recent, coalesce(previous_hash = ${hash}, false) as previous
    from session where id = ${id} and ended_at is null`.execute(database.system);
  if (rows[0]?.previous && rows[0].recent) return;
  if (rows[0]) {
    await endSession(database, id);
    await onReuse(id);
  }
  throw new Failure('session_expired');
}
