import type { Session } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { sql } from 'kysely';
import { sessionIsLive } from './sessions.ts';

interface SessionRow {
  id: string;
  organization: string;
  user_agent: string;
  address: string;
  created_at: Date;
  last_used_at: Date;
}

/** The live sessions of a person in all organisations: the current one first, then the most recently used. */
export async function listSessions(
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
