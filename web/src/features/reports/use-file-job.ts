import type { Job } from '@riskboard/contract';
import { useSyncExternalStore } from 'react';
import { jobStore, type JobMap } from '../../lib/jobs/job-store.ts';
import { isLive } from '../../lib/jobs/job-labels.ts';

interface FileJobs {
  /** A running job, else a queued one. */
  readonly live?: Job;
  /** The last job that ended since the page was loaded. */
  readonly ended?: Job;
}

/** One index per state of the store, shared by all rows. */
const indexes = new WeakMap<JobMap, ReadonlyMap<string, FileJobs>>();

/** The current and the last job of each file. */
export function jobsByFile(jobs: JobMap): ReadonlyMap<string, FileJobs> {
  const known = indexes.get(jobs);
  if (known !== undefined) return known;
  const index = new Map<string, FileJobs>();
  for (const job of jobs.values()) {
    if (job.fileId !== null) index.set(job.fileId, withJob(index.get(job.fileId) ?? {}, job));
  }
  indexes.set(jobs, index);
  return index;
}

function withJob(file: FileJobs, job: Job): FileJobs {
  if (isLive(job)) return file.live?.state === 'running' ? file : { ...file, live: job };
  const later = (job.finishedAt ?? '') >= (file.ended?.finishedAt ?? '');
  return later ? { ...file, ended: job } : file;
}

/** The queued or running job of a file; rerenders for changes of that job only. */
export const useLiveJob = (fileId: string): Job | undefined =>
  useSyncExternalStore(jobStore.subscribe, () => jobsByFile(jobStore.get()).get(fileId)?.live);

/** The last job of a file that ended since the page was loaded. */
export const useEndedJob = (fileId: string): Job | undefined =>
  useSyncExternalStore(jobStore.subscribe, () => jobsByFile(jobStore.get()).get(fileId)?.ended);
