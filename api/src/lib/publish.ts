import { eventTopic, jobCancelledTopic, type OrganizationEvent, startsRounds } from '@riskboard/contract';
import { type JobRow, messageOf, presentJob } from '@riskboard/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../deps.ts';
import { announceChange } from './announce-changes.ts';

/**
 * Milliseconds that sending may delay a reply; it then continues in the background. With the time of the call counter
 * (app.ts), an upload is acknowledged within a second while Redis does not respond.
 */
export const publishWithinMs = 500;

/**
 * Queue messages and events, sent after a commit. Neither may fail the request, which has already succeeded:
 * the sweep enqueues the job again, and a page that missed an event refetches.
 */
export interface AfterCommit {
  events(organizationId: string, events: OrganizationEvent[]): Promise<void>;
  jobsQueued(jobs: JobRow[]): Promise<void>;
  jobsCancelled(jobs: JobRow[]): Promise<void>;
  /** Of jobs that wait for their batch to be resumed. */
  jobsHeld(jobs: JobRow[]): Promise<void>;
  /** Stops the runs of jobs that are no longer running. */
  runsInterrupted(jobs: JobRow[]): Promise<void>;
}

/** Of more cancelled jobs only those that may run are stopped one by one. */
const mostStopped = 100;

export function afterCommit(
  { producer, relay, outages }: Pick<Deps, 'producer' | 'relay' | 'outages'>,
  log: FastifyBaseLogger,
): AfterCommit {
  const report = (err: unknown, what: string): void => {
    if (outages) outages.report(err, what);
    else log.warn({ err }, what);
  };
  /** The relay sends them in the order of the calls, and together. */
  async function events(organizationId: string, list: OrganizationEvent[]): Promise<void> {
    if (list.some(startsRounds)) announceChange(relay, organizationId);
    try {
      await Promise.all(list.map((event) => relay.publish(eventTopic(organizationId), event)));
    } catch (err) {
      report(err, 'events not published');
    }
  }

  /** The jobs of one change belong to one organization. */
  const updated = (jobs: JobRow[]): Promise<void> =>
    events(
      jobs[0]?.organization_id ?? '',
      jobs.map((job) => ({ type: 'job.updated', job: presentJob(job) })),
    );

  async function enqueue(jobs: JobRow[]): Promise<void> {
    const messages = jobs.filter((job) => job.waits_for === null).map(messageOf);
    try {
      await producer.enqueue(messages);
    } catch (err) {
      report(err, 'queue not reached; the sweep will enqueue the jobs');
    }
  }

  async function stopRuns(jobs: JobRow[]): Promise<void> {
    try {
      // A job that was never started has no run to stop.
      const stopped = jobs.length > mostStopped ? jobs.filter(({ attempt }) => attempt > 0) : jobs;
      for (const job of stopped) await relay.publish(jobCancelledTopic(job.id), {});
    } catch (err) {
      report(err, 'cancellation not broadcast; the run notices at its next progress');
    }
  }

  return {
    events: (organizationId, list) => briefly(events(organizationId, list)),
    jobsQueued: (jobs) => briefly(Promise.all([enqueue(jobs), updated(jobs)])),
    jobsCancelled: (jobs) => briefly(Promise.all([stopRuns(jobs), updated(jobs)])),
    jobsHeld: (jobs) => briefly(updated(jobs)),
    runsInterrupted: (jobs) => briefly(stopRuns(jobs)),
  };
}

/**
 * Stops interrupted runs while a transaction waits for what they hold. When it fails, their jobs are enqueued, which are
 * still queued.
 */
export async function whileInterrupted<T>(
  after: AfterCommit,
  jobs: JobRow[],
  work: () => Promise<T>,
): Promise<T> {
  void after.runsInterrupted(jobs);
  try {
    return await work();
  } catch (error) {
    await after.jobsQueued(jobs);
    throw error;
  }
}

/** Waits for work that never rejects, but not longer than a reply may be delayed. */
async function briefly(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, publishWithinMs);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
