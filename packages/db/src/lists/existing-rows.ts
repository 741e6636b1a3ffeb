import { type RawBuilder, sql } from 'kysely';
import { databaseRoles } from '../connection/roles.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { ListSource } from './source.ts';

/**
 * The start times of all other transactions that are running in this database. A row has the start of its transaction as
 * its creation time, so these are the creation times of rows that are committed later. To be read before any lock is
 * waited for.
 */
export async function runningTransactions(trx: OrganizationTransaction): Promise<string[]> {
  // The server shows these times to the login of the sessions, not to the role that it has taken.
  await sql`set local role none`.execute(trx);
  const { rows } = await sql<{ started: string }>`
    select distinct to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as started
    from pg_stat_activity where datname = current_database() and xact_start < now()
    order by started`.execute(trx);
  await sql`set local role ${sql.id(databaseRoles.app)}`.execute(trx);
  return rows.map(({ started }) => started);
}

/** When rows were requested. */
export interface RequestTime {
  at: RawBuilder<Date>;
  /** What `runningTransactions` returned; absent for requests of ids, which the caller has seen. */
  runningTransactions?: readonly string[] | undefined;
}

/** Whether the row `r` of a list existed at a request, and was not created by a transaction that was still running then. */
export function existedAt(
  { createdAt = 'r.created_at' }: Pick<ListSource, 'createdAt'>,
  { at, runningTransactions: running = [] }: RequestTime,
): RawBuilder<boolean> {
  const created = sql.raw(createdAt);
  return sql`(${created} <= ${at} and ${created} <> all (${running}::timestamptz[]))`;
}
