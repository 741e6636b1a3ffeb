import type { Database } from '@riskboard/db';
import { sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import { digest, endSession, findSession, isId, sessionIsLive, type SignedIn } from './sessions.ts';

/** A rotated secret remains valid this long, because several tabs may refresh at once, and an answer may be lost. */
const grace = sql`interval '10 seconds'`;

/** Parses a refresh token: the session's id and the hash of its secret. */
export function readRefresh(token: string): { id: string; hash: Buffer } | undefined {
  const [id = '', secret = ''] = token.split('.');
  return isId(id) ? { id, hash: digest(secret) } : undefined;
}

interface Rotation {
  token: string;
  /** The secret that follows that of the token, the same for every call. */
  next: string;
}

/**
 * Exchanges a refresh secret for the next one; within the grace time a repeat receives that too, while it is the current
 * one. The reuse of a secret that was rotated before the grace time means that two parties have it: the session ends
 * (contract, Accounts). An unknown secret ends nothing, because ids of sessions are no secrets.
 * @param onReuse called with the id of a session that ended for this reason
 * @throws Failure session_expired
 */
export async function rotateSession(
  database: Database,
  { token, next }: Rotation,
  onReuse: (sessionId: string) => Promise<void>,
): Promise<SignedIn> {
  const presented = readRefresh(token);
  if (!presented) throw new Failure('session_expired');
  const { id, hash } = presented;
  const nextHash = digest(next);
  const rotated = await sql`
    with rotated as (
      update session s set refresh_hash = ${nextHash}, last_used_at = now()
      where s.id = ${id} and s.refresh_hash = ${hash} and ${sessionIsLive}
      returning s.id)
    insert into rotated_secret (session_id, hash) select id, ${hash} from rotated
    on conflict (session_id, hash) do update set rotated_at = now()
    returning session_id`.execute(database.system);
  const isCurrent =
    rotated.rows.length === 1 || (await admitRotated(database, { ...presented, nextHash }, onReuse));
  const found = await findSession(database, id);
  if (!found) throw new Failure('session_expired');
  return { sessionId: id, user: found.user, ...(isCurrent ? { refresh: `${id}.${next}` } : {}) };
}

/** @returns whether the secret that followed is still the current one */
async function admitRotated(
  database: Database,
  { id, hash, nextHash }: { id: string; hash: Buffer; nextHash: Buffer },
  onReuse: (sessionId: string) => Promise<void>,
): Promise<boolean> {
  const { rows } = await sql<{ recent: boolean; current: boolean }>`
    select r.rotated_at > now() - ${grace} as recent, s.refresh_hash = ${nextHash} as current
    from rotated_secret r join session s on s.id = r.session_id
    where r.session_id = ${id} and r.hash = ${hash} and s.ended_at is null`.execute(database.system);
  if (rows[0]?.recent) return rows[0].current;
  if (rows[0]) {
    await endSession(database, id);
    await onReuse(id);
  }
  throw new Failure('session_expired');
}
