import type { Database, OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';

/** Remembers the sessions of a removed member: their rows are deleted with the membership. */
export async function recordRemovedSessions(
  trx: OrganizationTransaction,
  organizationId: string,
  sessionIds: readonly string[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  await trx
    .insertInto('removed_session')
    .values(sessionIds.map((id) => ({ session_id: id, organization_id: organizationId })))
    .execute();
}

/** The failure for a session that ended because its person was removed; undefined for any other session. */
export async function removalFailure(
  { system }: Pick<Database, 'system'>,
  sessionId: string,
): Promise<Failure | undefined> {
  const { rows } = await sql<{ name: string }>`
    select o.name from removed_session r join organization o using (organization_id)
    where r.session_id = ${sessionId}`.execute(system);
  const name = rows[0]?.name;
  if (name === undefined) return undefined;
  if (name === '') return new Failure('access_ended');
  return new Failure(
    'access_ended',
    `You no longer have access to ${name}. Ask an owner if this is unexpected.`,
  );
}
