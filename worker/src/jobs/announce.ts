import { eventTopic, type OrganizationEvent } from '@riskboard/contract';
import { type JobRow, presentJob } from '@riskboard/db';
import type { Deps } from '../deps.ts';

/** Publishes after a commit. An event that is lost costs a refetch, so it never fails the work. */
export async function announce(
  deps: Deps,
  organizationId: string,
  events: OrganizationEvent[],
): Promise<void> {
  try {
    for (const event of events) await deps.relay.publish(eventTopic(organizationId, event.type), event);
  } catch (err) {
    deps.log.warn({ err }, 'events not published');
  }
}

export const announceJobs = async (deps: Deps, jobs: JobRow[]): Promise<void> => {
  for (const job of jobs) {
    await announce(deps, job.organization_id, [{ type: 'job.updated', job: presentJob(job) }]);
  }
};

/** Rings for jobs that may start now; the sweeper rings again for what this misses. */
export async function ring(deps: Deps, jobs: JobRow[]): Promise<void> {
  if (jobs.length === 0) return;
  try {
    await deps.producer.enqueue(
      jobs.map((job) => ({ id: job.id, kind: presentJob(job).kind, organizationId: job.organization_id })),
    );
  } catch (err) {
    deps.log.warn({ err }, 'queue not reached; the sweeper will ring');
  }
}
