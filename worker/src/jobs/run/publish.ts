import { eventTopic, jobCancelledTopic, type OrganizationEvent, startsRounds } from '@riskboard/contract';
import { isUnattended, type JobRow, messageOf, presentJob } from '@riskboard/db';
import type { Deps } from '../../deps.ts';
import { noteChange } from './changed-organizations.ts';

// Everything here runs after a commit and never fails the work: a lost event costs a refetch, a lost queue message is
// sent again by the sweep.

/** Logs an error, or only counts it during an outage of PostgreSQL or the queue. */
export function reportError(
  { log, outages }: Pick<Deps, 'log' | 'outages'>,
  error: unknown,
  what: string,
): void {
  if (outages) outages.report(error, what);
  else log.warn({ err: error }, what);
}

/** Publishes events of one organization in their order. */
export async function publishEvents(
  deps: Deps,
  organizationId: string,
  events: readonly OrganizationEvent[],
): Promise<void> {
  if (events.some(startsRounds)) noteChange(deps.relay, organizationId);
  try {
    // The relay sends them in the order of the calls.
    await Promise.all(events.map((event) => deps.relay.publish(eventTopic(organizationId), event)));
  } catch (err) {
    reportError(deps, err, 'events not published');
  }
}

/** Publishes the new state of each job that lists show. */
export async function publishJobs(deps: Deps, jobs: readonly JobRow[]): Promise<void> {
  const shown = jobs.filter((one) => !isUnattended(one));
  await Promise.all(
    shown.map((job) =>
      publishEvents(deps, job.organization_id, [{ type: 'job.updated', job: presentJob(job) }]),
    ),
  );
}

/** Enqueues jobs that may start now. */
export async function enqueue(deps: Deps, jobs: readonly JobRow[]): Promise<void> {
  if (jobs.length === 0) return;
  try {
    await deps.producer.enqueue(jobs.map(messageOf));
  } catch (err) {
    reportError(deps, err, 'queue not reached; the sweep will enqueue the jobs');
  }
}

/** Stops the runs of cancelled jobs; one that misses the message stops at its next progress write. */
export async function publishCancellations(deps: Deps, jobs: readonly JobRow[]): Promise<void> {
  const published = await Promise.allSettled(
    jobs.map(({ id }) => deps.relay.publish(jobCancelledTopic(id), {})),
  );
  const failed = published.filter(({ status }) => status === 'rejected').length;
  if (failed > 0)
    deps.log.warn({ failed }, 'cancellations not published; the runs stop at their next progress');
}
