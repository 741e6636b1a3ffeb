import type { Job } from '@riskboard/contract';
import { useSyncExternalStore } from 'react';
import { jobStore, type JobMap } from '../../lib/jobs/job-store.ts';
import { isLive } from '../../lib/jobs/job-labels.ts';

interface FileJobs {
  /** Queued or running; one that runs comes before one that waits. */
  readonly live?: Job;
  /** The last one that ended since the page was loaded. */
  readonly ended?: Job;
}

/** One index a state of the store, however many rows ask for it. */
const indexes = new WeakMap<JobMap, ReadonlyMap<string, FileJobs>>();

/** What is and was at work on each file. */
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

/** The job at work on a file right now; renders again when that job moves, not when others do. */
export const useLiveJob = (fileId: string): Job | undefined =>
  useSyncExternalStore(jobStore.subscribe, () => jobsByFile(jobStore.get()).get(fileId)?.live);

/** The last job on a file that ended since the page was loaded. */
export const useEndedJob = (fileId: string): Job | undefined =>
  useSyncExternalStore(jobStore.subscribe, () => jobsByFile(jobStore.get()).get(fileId)?.ended);
