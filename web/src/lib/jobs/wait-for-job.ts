import { jobs, type Job } from '@riskboard/contract';
import { call } from '../api/call.ts';
import { ApiError } from '../api/errors.ts';
import { jobStore } from './job-store.ts';
import { isLive } from './job-labels.ts';

/** Polling interval in milliseconds, in case the socket delivers nothing. */
const pollEvery = 3000;

/** A refusal means that the job or the session no longer exists; other failures do not concern the job. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/**
 * Waits until a job has ended, using the socket and polling. A poll without an answer is repeated.
 * @throws {ApiError} a poll was refused: the job may have been deleted with its file
 */
export function endOfJob(id: string): Promise<Job> {
  return new Promise((resolve, reject) => {
    const look = (job: Job | undefined) => {
      if (job !== undefined && !isLive(job)) finish(() => resolve(job));
    };
    const unsubscribe = jobStore.subscribeTo([id], () => look(jobStore.find(id)));
    const poll = () =>
      call(jobs.get, { params: { id } }).then(look, (error: unknown) => {
        if (isRefusal(error)) finish(() => reject(error));
      });
    const timer = setInterval(() => void poll(), pollEvery);
    function finish(settle: () => void): void {
      unsubscribe();
      clearInterval(timer);
      settle();
    }
    look(jobStore.find(id));
  });
}
