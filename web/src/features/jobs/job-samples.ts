import type { Job } from '@riskboard/contract';
import { useSyncExternalStore } from 'react';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { rateOf, sampled, type Sample } from './job-rate.ts';

/** What running jobs said lately, by id. */
const samples = new Map<string, readonly Sample[]>();

function look(): void {
  const now = Date.now();
  for (const job of jobStore.get().values()) {
    if (job.state === 'running') samples.set(job._id, sampled(samples.get(job._id) ?? [], job, now));
    else samples.delete(job._id);
  }
}

const subscribe = (listener: () => void) =>
  jobStore.subscribe(() => {
    look();
    listener();
  });

/** Units a second of a running job, from what it said while somebody looked; null while nobody can say. */
export const useJobRate = (job: Job): number | null =>
  useSyncExternalStore(subscribe, () => rateOf(samples.get(job._id) ?? []));
