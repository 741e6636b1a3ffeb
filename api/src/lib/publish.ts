import { eventTopic, jobCancelledTopic, type OrganizationEvent } from '@riskboard/contract';
import { type JobRow, messageOf, presentJob } from '@riskboard/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../deps.ts';

/**
 * Queue messages and events, sent after a commit. Neither may fail the request, which has already succeeded:
 * the sweeper enqueues the job again, and a page that missed an event refetches.
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
  /** In order; after an event that cannot be sent within a second, the rest are not tried. */
  async function events(organizationId: string, list: OrganizationEvent[]): Promise<void> {
    try {
      for (const event of list) await relay.publish(eventTopic(organizationId, event.type), event);
    } catch (err) {
      log.warn({ err }, 'events not published');
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
      log.warn({ err }, 'queue not reached; the sweeper will enqueue the jobs');
    }
  }

  async function publishCancelled(jobs: JobRow[]): Promise<void> {
    try {
      for (const job of jobs) await relay.publish(jobCancelledTopic(job.id), {});
    } catch (err) {
      log.warn({ err }, 'cancellation not broadcast; the run notices at its next progress');
    }
  }

  // In parallel: the request has already succeeded and waits at most one second for an unresponsive queue or relay.
  return {
    events,
    jobsQueued: async (jobs) => void (await Promise.all([enqueue(jobs), updated(jobs)])),
    jobsCancelled: async (jobs) => void (await Promise.all([publishCancelled(jobs), updated(jobs)])),
  };
}
