import type { Job, JobState } from '@riskboard/contract';

/** Sections of the drawer, in display order. */
export const jobGroups = [
  { id: 'running', title: 'Running', states: ['running'] },
  { id: 'queued', title: 'Queued', states: ['queued'] },
  { id: 'failed', title: 'Failed', states: ['failed'] },
  { id: 'done', title: 'Done', states: ['succeeded', 'cancelled'] },
] as const satisfies readonly { id: string; title: string; states: readonly JobState[] }[];

export type JobGroup = (typeof jobGroups)[number];

/** Merges the live store and the history; the newer version of a job wins. */
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

/** Time to sort by: the end of ended jobs, the start of running jobs, the creation of queued jobs. */
const lastMoved = (job: Job): string => job.finishedAt ?? job.startedAt ?? job.createdAt;

export function jobsOf(group: JobGroup, jobs: readonly Job[]): Job[] {
  const states: readonly JobState[] = group.states;
  return jobs.filter((job) => states.includes(job.state));
}
