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

/** Ids travel with an event up to this many (contract, Jobs and events). */
const idsShown = 100;

type Change = Extract<OrganizationEvent, { action: string }>;

/** An event that says which rows of a noun changed. */
export const changedEvent = (
  type: Change['type'],
  change: Pick<Change, 'action' | 'by'>,
  ids: string[],
): Change => ({
  type,
  ...change,
  count: ids.length,
  ...(ids.length <= idsShown ? { ids } : {}),
});

export function afterCommit(
  { producer, relay }: Pick<Deps, 'producer' | 'relay'>,
  log: FastifyBaseLogger,
): AfterCommit {
  async function events(organizationId: string, list: OrganizationEvent[]): Promise<void> {
    try {
      for (const event of list) await relay.publish(eventTopic(organizationId, event.type), event);
    } catch (err) {
      log.warn({ err }, 'events not published');
    }
  }

  const updated = async (jobs: JobRow[]): Promise<void> => {
    for (const job of jobs)
      await events(job.organization_id, [{ type: 'job.updated', job: presentJob(job) }]);
  };

  return {
    events,
    async jobsQueued(jobs) {
      const ready = jobs.filter((job) => job.waits_for === null);
      try {
        await producer.ring(
          ready.map((job) => ({
            id: job.id,
            kind: presentJob(job).kind,
            organizationId: job.organization_id,
          })),
        );
      } catch (err) {
        log.warn({ err }, 'queue not reached; the sweeper will ring');
      }
      await updated(jobs);
    },
    async jobsCancelled(jobs) {
      try {
        for (const job of jobs) await relay.publish(jobCancelledTopic(job.id), {});
      } catch (err) {
        log.warn({ err }, 'cancellation not broadcast; the run notices at its next progress');
      }
      await updated(jobs);
    },
  };
}
