import type { Job, JobState } from '@riskboard/contract';

/** Sections of the drawer, in the order in which a person asks: what runs, what waits, what went wrong, what is done. */
export const jobGroups = [
  { id: 'running', title: 'Running', states: ['running'] },
  { id: 'queued', title: 'Queued', states: ['queued'] },
  { id: 'failed', title: 'Failed', states: ['failed'] },
  { id: 'done', title: 'Done', states: ['succeeded', 'cancelled'] },
] as const satisfies readonly { id: string; title: string; states: readonly JobState[] }[];

export type JobGroup = (typeof jobGroups)[number];

/** One list out of the live store and the history; of two versions of a job the newer one counts. */
export function mergeJobs(live: Iterable<Job>, history: Iterable<Job>): Job[] {
  const byId = new Map<string, Job>();
  for (const source of [history, live]) {
    for (const job of source) {
      const known = byId.get(job._id);
      if (known === undefined || job.version >= known.version) byId.set(job._id, job);
    }
  }
  return [...byId.values()].toSorted((a, b) => lastMoved(b).localeCompare(lastMoved(a)));
}

/** Ended jobs by their end, running ones by their start, waiting ones by when they were asked for. */
const lastMoved = (job: Job): string => job.finishedAt ?? job.startedAt ?? job.createdAt;

export function jobsOf(group: JobGroup, jobs: readonly Job[]): Job[] {
  const states: readonly JobState[] = group.states;
  return jobs.filter((job) => states.includes(job.state));
}
