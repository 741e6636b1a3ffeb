import { type Database, messageOf, skipLocked } from '@riskboard/db';
import type { Producer } from '@riskboard/queue';
import { type RawBuilder, sql } from 'kysely';

export interface SweepOptions {
  /** The worker of a running job without a heartbeat for this long has died. */
  silentMs: number;
  /** The queue may have lost the message of a queued job if it was sent this long ago. */
  messageLostMs: number;
}

/** Jobs that one sweep enqueues. */
const batchSize = 500;
/** A failed deletion of an organization is tried again, because no user of that organization can request another. */
const deletionRetriedAfter = sql`interval '10 minutes'`;
/** Longer than a job waits for its next try: a later time is from before the clock was set back. A job of a paused batch has none. */
const longestDelay = sql`interval '15 minutes'`;
/** An upload that is incomplete after this long was interrupted and cannot continue: the api ends a request after half an hour. */
const abandonedAfter = sql`interval '2 hours'`;

/** Whether a time is longer ago, or so far ahead that the clock was set back since. */
const isPast = (time: RawBuilder<unknown>, ms: number): RawBuilder<boolean> =>
  sql`${time} not between now() - make_interval(secs => ${ms / 1000}) and now() + make_interval(secs => ${ms / 1000})`;

/**
 * Enqueues jobs whose message may be lost, queued or running without a heartbeat, retries failed deletions of
 * organizations, and deletes interrupted uploads. Uses the database's clock, because a worker's may be wrong. Several
 * workers may sweep at once: each takes other jobs.
 * @returns the number of enqueued jobs
 */
export async function sweep(
  { database, producer }: { database: Database; producer: Pick<Producer, 'enqueue' | 'recover'> },
  { silentMs, messageLostMs }: SweepOptions,
): Promise<number> {
  await retryDeletions(database);
  const { rows } = await sql<Parameters<typeof messageOf>[0]>`
    update job set rung_at = now(), run_at = least(run_at, now())
    where id in (
      select id from job
      where waits_for is null and ${isPast(sql`rung_at`, messageLostMs)} and (
        (state = 'queued' and (run_at <= now() or run_at > now() + ${longestDelay} and run_at <> 'infinity'))
        or (state = 'running' and ${isPast(sql`heartbeat_at`, silentMs)}))
      order by rung_at limit ${batchSize} ${skipLocked})
    returning id, kind, organization_id, queue_order`.execute(database.system);
  // UUIDv7 sorts by time: of jobs with equal order the oldest request first.
  if (rows.length > 0) {
    await producer.enqueue(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(messageOf));
    await producer.recover();
  }
  await sql`delete from file_content where not complete and created_at < now() - ${abandonedAfter}`.execute(
    database.system,
  );
  return rows.length;
}

async function retryDeletions(database: Database): Promise<void> {
  await sql`
    update job set state = 'queued', phase = 'waiting', tries = 0, finished_at = null, run_at = now(),
      error_code = null, error_message = null, version = version + 1
    where id in (
      select job.id from job
      where job.kind = 'organization.delete' and job.state = 'failed' and job.finished_at < now() - ${deletionRetriedAfter}
        and job.organization_id in (select organization_id from organization where deleting_at is not null)
      ${skipLocked})`.execute(database.system);
}
