import { createHash, randomBytes } from 'node:crypto';
import { type Role, sessionEndedTopic, type User } from '@riskboard/contract';
import { Id } from '@riskboard/contract/schemas';
import { type Database, newId } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';

/** Idle 8 hours, at most 7 days (contract, Accounts). */
const idle = sql`interval '8 hours'`;
const longest = sql`interval '7 days'`;
/** Condition on session s: not ended, idle or expired. */
export const sessionIsLive = sql`
  s.ended_at is null and s.expires_at > now() and s.last_used_at > now() - ${idle}`;

export interface SignedIn {
  sessionId: string;
  refresh?: string;
  user: User;
}

/** Row of a person in an organization. */
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

/** Columns of a MemberRow from membership m, account a and organization o. */
export const memberColumns = sql`
  m.account_id, m.organization_id, m.role, a.email::text, a.first_name, a.last_name, o.name as organization,
  a.totp_enabled_at is not null as second_factor, o.require_second_factor as second_factor_required,
  o.deleting_at is not null as deleting`;

/** A connection under the system's role, or a transaction: `{ system: trx }`. */
type System = Pick<Database, 'system'>;

export const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();
export const isId = (text: string): boolean => Id.safeParse(text).success;
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

/** The person of a session or token; `stale`: its last use was recorded more than a minute ago. */
export interface FoundMember {
  user: User;
  deleting: boolean;
  stale: boolean;
}

/** The person of a live session; undefined when it ended or expired or the person is no longer a member. */
export async function findSession(database: System, sessionId: string): Promise<FoundMember | undefined> {
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

export async function touchSession(database: System, sessionId: string): Promise<void> {
  await sql`update session set last_used_at = now() where id = ${sessionId}`.execute(database.system);
}

export interface NewSession {
  organizationId: string;
  accountId: string;
  userAgent: string;
  address: string;
  /** Replaces this session, which ends; the new one keeps its expiry. */
  continues?: string;
}

/**
 * Starts a session with its first refresh secret, of which only the hash is stored.
 * @throws Failure session_expired when the session to replace has ended or the person is not a member
 */
export async function startSession(database: System, session: NewSession): Promise<SignedIn> {
  const id = newId();
  const secret = newSecret();
  const until = session.continues
    ? await endForSuccessor(database, session.continues)
    : sql<Date>`now() + ${longest}`;
  await database.system
    .insertInto('session')
    .values({
      id,
      organization_id: session.organizationId,
      account_id: session.accountId,
      refresh_hash: digest(secret),
      expires_at: until,
      user_agent: session.userAgent.slice(0, 300),
      address: session.address,
    })
    .execute();
  const found = await findSession(database, id);
  if (!found) throw new Failure('session_expired');
  return { sessionId: id, refresh: `${id}.${secret}`, user: found.user };
}

/** Ends a session. @returns its expiry, which the successor keeps so that the 7 days are not extended */
async function endForSuccessor(database: System, sessionId: string): Promise<Date> {
  const ended = await database.system
    .updateTable('session')
    .set({ ended_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .returning('expires_at')
    .executeTakeFirst();
  if (!ended) throw new Failure('session_expired');
  return ended.expires_at;
}

export async function endSession(database: System, sessionId: string): Promise<void> {
  await sql`update session set ended_at = now() where id = ${sessionId} and ended_at is null`.execute(
    database.system,
  );
}

/** Selects sessions of a person: in one organization, one by id, or all but one; by default all. */
interface SessionsOf {
  accountId: string;
  organizationId?: string;
  only?: string;
  except?: string | null;
}

/** Ends live sessions of a person. @returns their ids, for `publishSessionsEnded` after the commit */
export async function endSessionsOf(
  database: System,
  { accountId, organizationId, only, except }: SessionsOf,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update session s set ended_at = now()
    where s.account_id = ${accountId} and ${sessionIsLive}
      and (${organizationId ?? null}::uuid is null or s.organization_id = ${organizationId ?? null}::uuid)
      and (${only ?? null}::uuid is null or s.id = ${only ?? null}::uuid)
      and s.id is distinct from ${except ?? null}::uuid
    returning s.id`.execute(database.system);
  return rows.map((row) => row.id);
}

/** Publishes the end of sessions, so that every process closes their sockets; a periodic check closes missed ones. */
export async function publishSessionsEnded(
  { relay }: Pick<Deps, 'relay'>,
  sessionIds: readonly string[],
): Promise<void> {
  await Promise.allSettled(
    sessionIds.map((sessionId) => relay.publish(sessionEndedTopic(sessionId), { sessionId })),
  );
}
