import { eventTopic, jobCancelledTopic, type OrganizationEvent } from '@riskboard/contract';
import { type JobRow, presentJob } from '@riskboard/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../deps.ts';

/**
 * What follows a commit: bells and events. Neither may fail the request that has already succeeded:
 * the sweeper rings again, and a page that missed an event refetches.
 */
export interface AfterCommit {
  events(organizationId: string, events: OrganizationEvent[]): Promise<void>;
  jobsQueued(jobs: JobRow[]): Promise<void>;
  jobsCancelled(jobs: JobRow[]): Promise<void>;
}

export function afterCommit(
  { producer, relay }: Pick<Deps, 'producer' | 'relay'>,
  log: FastifyBaseLogger,
): AfterCommit {
  /** In their order; when one cannot be sent within its second, neither can the rest. */
  async function events(organizationId: string, list: OrganizationEvent[]): Promise<void> {
    try {
      for (const event of list) await relay.publish(eventTopic(organizationId, event.type), event);
    } catch (err) {
      log.warn({ err }, 'events not published');
    }
  }

  /** Jobs of one change are of one organisation. */
  const updated = (jobs: JobRow[]): Promise<void> =>
    events(
      jobs[0]?.organization_id ?? '',
      jobs.map((job) => ({ type: 'job.updated', job: presentJob(job) })),
    );

  async function ring(jobs: JobRow[]): Promise<void> {
    const bells = jobs
      .filter((job) => job.waits_for === null)
      .map((job) => ({ id: job.id, kind: presentJob(job).kind, organizationId: job.organization_id }));
    try {
      await producer.enqueue(bells);
    } catch (err) {
      log.warn({ err }, 'queue not reached; the sweeper will ring');
    }
  }

  async function tellRuns(jobs: JobRow[]): Promise<void> {
    try {
      for (const job of jobs) await relay.publish(jobCancelledTopic(job.id), {});
    } catch (err) {
      log.warn({ err }, 'cancellation not broadcast; the run notices at its next progress');
    }
  }

  // Side by side: the request that has already succeeded waits a second at most when nobody answers.
  return {
    events,
    jobsQueued: async (jobs) => void (await Promise.all([ring(jobs), updated(jobs)])),
    jobsCancelled: async (jobs) => void (await Promise.all([tellRuns(jobs), updated(jobs)])),
  };
}
