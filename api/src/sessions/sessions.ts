import { createHash, randomBytes } from 'node:crypto';
import { Id, type Role, sessionEndedTopic, type User } from '@riskboard/contract';
import { type Database, newId } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/failure.ts';

/** Idle 8 hours, at most 7 days (contract, Accounts). */
const idle = sql`interval '8 hours'`;
const longest = sql`interval '7 days'`;
/** Of session s: neither ended nor idle too long nor too old. */
export const sessionIsLive = sql`
  s.ended_at is null and s.expires_at > now() and s.last_used_at > now() - ${idle}`;
/** Two tabs may refresh at once: the secret that was just rotated away still counts this long. */
const grace = sql`interval '10 seconds'`;

export interface SignedIn {
  sessionId: string;
  refresh?: string;
  user: User;
}

/** A person in an organisation, as the database knows them. */
export interface MemberRow {
  account_id: string;
  organization_id: string;
  role: Role;
  email: string;
  first_name: string;
  last_name: string;
  organization: string;
  second_factor: boolean;
  second_factor_required: boolean;
  deleting: boolean;
}

/** Columns of a MemberRow, of membership m, account a and organization o. */
export const memberColumns = sql`
  m.account_id, m.organization_id, m.role, a.email::text, a.first_name, a.last_name, o.name as organization,
  a.totp_enabled_at is not null as second_factor, o.require_second_factor as second_factor_required,
  o.deleting_at is not null as deleting`;

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();
const isId = (text: string): boolean => Id.safeParse(text).success;
const newSecret = (): string => randomBytes(32).toString('base64url');

export const presentUser = (row: MemberRow): User => ({
  _id: row.account_id,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  organization: row.organization,
  organizationId: row.organization_id,
  role: row.role,
  secondFactor: row.second_factor,
  secondFactorRequired: row.second_factor_required,
});

/** Whom a session or token belongs to; `stale`: it has not been noted for a minute that it is in use. */
export interface FoundMember {
  user: User;
  deleting: boolean;
  stale: boolean;
}

/** The live session with its person, or nothing: ended, idle too long, too old, no longer a member. */
export async function findSession(database: Database, sessionId: string): Promise<FoundMember | undefined> {
  const { rows } = await sql<MemberRow & { stale: boolean }>`
    select ${memberColumns}, s.last_used_at < now() - interval '1 minute' as stale
    from session s
    join membership m using (organization_id, account_id)
    join account a on a.id = s.account_id
    join organization o using (organization_id)
    where s.id = ${sessionId} and ${sessionIsLive}`.execute(database.system);
  const row = rows[0];
  return row && { user: presentUser(row), deleting: row.deleting, stale: row.stale };
}

export async function touchSession(database: Database, sessionId: string): Promise<void> {
  await sql`update session set last_used_at = now() where id = ${sessionId}`.execute(database.system);
}

export interface NewSession {
  organizationId: string;
  accountId: string;
  userAgent: string;
  address: string;
}

/** Signs in: a session row and its first refresh secret, of which only the hash is kept. */
export async function startSession(database: Database, session: NewSession): Promise<SignedIn> {
  const id = newId();
  const secret = newSecret();
  await sql`
    insert into session (id, organization_id, account_id, refresh_hash, expires_at, user_agent, address)
    values (${id}, ${session.organizationId}, ${session.accountId}, ${digest(secret)}, now() + ${longest},
      ${session.userAgent.slice(0, 300)}, ${session.address})`.execute(database.system);
  const found = await findSession(database, id);
  if (!found) throw new Failure('session_expired');
  return { sessionId: id, refresh: `${id}.${secret}`, user: found.user };
}

export async function endSession(database: Database, sessionId: string): Promise<void> {
  await sql`update session set ended_at = now() where id = ${sessionId} and ended_at is null`.execute(
    database.system,
  );
}

/** Ends the session that a refresh secret belongs to; a secret that is not its own ends nothing. */
export async function endSessionOfToken(database: Database, token: string): Promise<string | undefined> {
  const [id = '', presented = ''] = token.split('.');
  if (!isId(id)) return undefined;
  const { rows } = await sql<{ id: string }>`
    update session set ended_at = now()
    where id = ${id} and ended_at is null and (refresh_hash = ${digest(presented)} or previous_hash = ${digest(presented)})
    returning id`.execute(database.system);
  return rows[0]?.id;
}

/**
 * Exchanges a refresh secret for the next one. A secret that was rotated away before means that two parties hold
 * it: the session ends (contract, Accounts).
 * @throws Failure session_expired; `onReuse` hears of the session that was ended.
 */
export async function rotateSession(
  database: Database,
  token: string,
  onReuse: (sessionId: string) => Promise<void>,
): Promise<SignedIn> {
  const [id = '', presented = ''] = token.split('.');
  if (!isId(id)) throw new Failure('session_expired');
  const secret = newSecret();
  const rotated = await sql`
    update session set refresh_hash = ${digest(secret)}, previous_hash = refresh_hash, rotated_at = now(), last_used_at = now()
    where id = ${id} and refresh_hash = ${digest(presented)} and ended_at is null and expires_at > now()
      and last_used_at > now() - ${idle}
    returning id`.execute(database.system);
  const refreshed = rotated.rows.length === 1;
  if (!refreshed) await admitPrevious(database, { id, hash: digest(presented), onReuse });
  const found = await findSession(database, id);
  if (!found) throw new Failure('session_expired');
  return { sessionId: id, user: found.user, ...(refreshed ? { refresh: `${id}.${secret}` } : {}) };
}

async function admitPrevious(
  database: Database,
  presented: { id: string; hash: Buffer; onReuse: (sessionId: string) => Promise<void> },
): Promise<void> {
  const { rows } = await sql<{ recent: boolean; previous: boolean }>`
    select rotated_at > now() - ${grace} as recent, coalesce(previous_hash = ${presented.hash}, false) as previous
    from session where id = ${presented.id} and ended_at is null`.execute(database.system);
  if (rows[0]?.previous && rows[0].recent) return;
  if (rows[0]) {
    await endSession(database, presented.id);
    await presented.onReuse(presented.id);
  }
  throw new Failure('session_expired');
}

/**
 * Ends every live session of a person, in one organisation or all of them, and says which; tell the others of them.
 */
export async function endSessionsOf(
  database: Database,
  {
    accountId,
    organizationId,
    except,
  }: { accountId: string; organizationId?: string; except?: string | null },
): Promise<string[]> {
  const ended = await database.system
    .updateTable('session')
    .set({ ended_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId ?? ''))
    .$if(Boolean(except), (query) => query.where('id', '<>', except ?? ''))
    .returning('id')
    .execute();
  return ended.map((row) => row.id);
}

/** Closes the sockets of ended sessions, in whichever process they are; what it misses, the re-check finds. */
export async function tellEnded(
  { relay }: Pick<Deps, 'relay'>,
  sessionIds: readonly string[],
): Promise<void> {
  await Promise.allSettled(
    sessionIds.map((sessionId) => relay.publish(sessionEndedTopic(sessionId), { sessionId })),
  );
}
