import type { Job } from '@riskboard/contract';
import { isLive } from './job-labels.ts';
import { createStore, useStore } from '../browser/store.ts';

export type JobMap = ReadonlyMap<string, Job>;

/**
 * Jobs as received by the socket. Deltas may arrive twice and out of order: a job whose `version` is not newer is
 * dropped (contract, Jobs and events).
 */
export function createJobStore() {
  const store = createStore<JobMap>(new Map());

  return {
    ...store,

    /** @returns the previous state of the job; null when the delta was older and dropped */
    apply(job: Job): { before: Job | undefined } | null {
      const before = store.get().get(job._id);
      if (before !== undefined && before.version >= job.version) return null;
      store.set(new Map(store.get()).set(job._id, job));
      return { before };
    },

    /**
     * Applies a snapshot of all queued and running jobs. Ended jobs are kept.
     * @returns ids of jobs that were active and are not in the snapshot: they ended meanwhile
     */
    replace(snapshot: readonly Job[]): string[] {
      const known = store.get();
      const ended = [...known.values()].filter((job) => !isLive(job));
      const next = new Map(ended.map((job) => [job._id, job]));
      for (const job of snapshot) {
        const before = known.get(job._id);
        next.set(job._id, before !== undefined && before.version > job.version ? before : job);
      }
      store.set(next);
      return [...known.keys()].filter((id) => !next.has(id));
    },

    clear: () => store.set(new Map()),
  };
}

/** The app's jobs. */
export const jobStore = createJobStore();

/** Jobs received since the page was loaded, by id; renders again with each change. */
export const useJobs = (): JobMap => useStore(jobStore);
