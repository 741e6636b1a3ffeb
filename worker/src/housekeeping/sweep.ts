import { type Database, skipLocked } from '@riskboard/db';
import type { QueueMessage, Producer } from '@riskboard/queue';
import { sql } from 'kysely';

export interface SweepOptions {
  /** A running job that has been silent this long has lost its worker. */
  silentMs: number;
  /** A queued job that was rung for this long ago may have been forgotten by the queue. */
  unheardMs: number;
}

/** Rows that one sweep rings for; the next sweep takes the next. */
const mostAtOnce = 500;
/** A deletion that was given up on is tried again after this long: in its organisation nobody may ask anew. */
const revivedAfter = sql`interval '10 minutes'`;
/** What was being received when its api died is of no use to anybody. */
const abandonedAfter = sql`interval '2 hours'`;

/**
 * Rings again for work that no queue may hold: queued too long, or running without a sign of life. By the database's
 * clock, because a worker's may be wrong. Several workers may sweep at once: each takes other rows.
 */
export async function sweep(
  { database, producer }: { database: Database; producer: Pick<Producer, 'enqueue'> },
  { silentMs, unheardMs }: SweepOptions,
): Promise<number> {
  await reviveDeletions(database);
  const { rows } = await sql<QueueMessage>`
    update job set rung_at = now()
    where id in (
      select id from job
      where waits_for is null and rung_at < now() - make_interval(secs => ${unheardMs / 1000}) and (
        (state = 'queued' and run_at <= now())
        or (state = 'running' and heartbeat_at < now() - make_interval(secs => ${silentMs / 1000})))
      order by rung_at limit ${mostAtOnce} ${skipLocked})
    returning id, kind, organization_id as "organizationId"`.execute(database.system);
  // UUIDv7: in the order in which the work was asked for.
  if (rows.length > 0) await producer.enqueue(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  await sql`delete from file_content where not complete and created_at < now() - ${abandonedAfter}`.execute(
    database.system,
  );
  return rows.length;
}

async function reviveDeletions(database: Database): Promise<void> {
  await sql`
    update job set state = 'queued', phase = 'waiting', tries = 0, finished_at = null, run_at = now(),
      error_code = null, error_message = null, version = version + 1
    where id in (
      select job.id from job
      where job.kind = 'organization.delete' and job.state = 'failed' and job.finished_at < now() - ${revivedAfter}
        and job.organization_id in (select organization_id from organization where deleting_at is not null)
      ${skipLocked})`.execute(database.system);
}
