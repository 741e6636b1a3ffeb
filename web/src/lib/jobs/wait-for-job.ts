import { jobs, type Job } from '@riskboard/contract';
import { call } from '../api/call.ts';
import { jobStore } from './job-store.ts';
import { isLive } from './job-labels.ts';

/** Polling interval in milliseconds, in case the socket delivers nothing. */
const lookEvery = 3000;

/**
 * Waits until a job has ended, using the socket and polling.
 * @throws the error of a failed poll: the job may have been deleted with its file
 */
export function endOfJob(id: string): Promise<Job> {
  return new Promise((resolve, reject) => {
    const look = (job: Job | undefined) => {
      if (job !== undefined && !isLive(job)) finish(() => resolve(job));
    };
    const unsubscribe = jobStore.subscribe(() => look(jobStore.get().get(id)));
    const ask = () =>
      call(jobs.get, { params: { id } }).then(look, (error: unknown) => finish(() => reject(error)));
    const timer = setInterval(() => void ask(), lookEvery);
    function finish(settle: () => void): void {
      unsubscribe();
      clearInterval(timer);
      settle();
    }
    look(jobStore.get().get(id));
  });
}
