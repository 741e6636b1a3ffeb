import type { Job } from '@riskboard/contract';
import { useMemo, useSyncExternalStore } from 'react';
import { waitsForReport } from '../../lib/jobs/job-labels.ts';
import { isLive, jobStore } from '../../lib/jobs/job-store.ts';

/** A running job, else a queued one, rather not one that waits for another one of the file. */
const liveOf = (jobs: readonly Job[]): Job | undefined =>
  jobs.find(({ state }) => state === 'running') ??
  jobs.find((job) => isLive(job) && !waitsForReport(job)) ??
  jobs.find(isLive);

/** The job that ended last. */
export const lastEndedOf = (jobs: readonly Job[]): Job | undefined =>
  jobs
    .filter((job) => !isLive(job))
    .reduce<Job | undefined>(
      (last, job) => ((job.finishedAt ?? '') >= (last?.finishedAt ?? '') ? job : last),
      undefined,
    );

/** What the store knows about a job or a file; rerenders for changes of that job, or of the file's jobs, only. */
function useKnown<T>(id: string, read: (id: string) => T): T {
  const subscribe = useMemo(() => (listener: () => void) => jobStore.subscribeTo([id], listener), [id]);
  return useSyncExternalStore(subscribe, () => read(id));
}

/** The queued or running job of a file. */
export const useLiveJob = (fileId: string): Job | undefined =>
  useKnown(fileId, (id) => liveOf(jobStore.ofFile(id)));

/** The last job of a file that ended since the page was loaded, unless many others ended since. */
export const useEndedJob = (fileId: string): Job | undefined =>
  useKnown(fileId, (id) => lastEndedOf(jobStore.ofFile(id)));

/** The newest parse of a file that the job store has. */
export const useParseJob = (fileId: string): Job | undefined => useKnown(fileId, newestParse);

/** Whether the content of a file was replaced before this parse had read it: the parse was cancelled for a later one. */
export const useIsReplaced = (fileId: string, parseId: string): boolean =>
  useKnown(fileId, (id) => {
    const own = parsesOf(id).find(({ _id }) => _id === parseId);
    return own?.state === 'cancelled' && newestParse(id) !== own;
  });

const parsesOf = (fileId: string): Job[] =>
  jobStore.ofFile(fileId).filter(({ kind }) => kind === 'stix.parse');

const newestParse = (fileId: string): Job | undefined =>
  parsesOf(fileId).reduce<Job | undefined>(
    (newest, job) => (newest === undefined || job.createdAt > newest.createdAt ? job : newest),
    undefined,
  );

/** Whether the store has dropped a job in favor of others that ended later. */
export const useIsForgotten = (jobId: string): boolean => useKnown(jobId, jobStore.isForgotten);
