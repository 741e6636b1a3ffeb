import { type JobRow, messageOf } from '@riskboard/db';
import { type QueueMessage, RetryLater } from '@riskboard/queue';
import type { Deps } from '../../deps.ts';
import { enqueue, reportError } from './publish.ts';
import { type JobRun, runJob } from './run-job.ts';

/** A job that took longer leaves its slot to other organizations before the job that waited for it starts. */
const shortMs = 1000;

interface MessageRun extends Omit<JobRun, 'release'> {
  /** Called after each job that ran. */
  afterJob: (message: QueueMessage) => Promise<void>;
}

/**
 * Runs the job of a queue message, and then the job that waited for it if the first one was short: the extraction of a
 * small report costs no message of its own (decision 0046). Its row is queued like any other, so the sweep enqueues it
 * when this process ends in between.
 * @throws as `runJob`, for the job of the message
 */
export async function runMessage(deps: Deps, run: MessageRun): Promise<void> {
  const { message, afterJob } = run;
  const startedAt = performance.now();
  let next: JobRow | undefined;
  await runJob(deps, {
    ...run,
    async release(jobs) {
      const isShort = performance.now() - startedAt < shortMs && !run.shutdown.aborted;
      if (isShort && jobs.length === 1) [next] = jobs;
      else await enqueue(deps, jobs);
    },
  });
  await afterJob(message);
  if (next !== undefined) await runWithoutMessage(deps, { ...run, message: messageOf(next) });
}

/** Runs a job that has no message, or no longer; one that is to be tried again gets one. @throws as `runJob` */
export async function runWithoutMessage(deps: Deps, run: MessageRun): Promise<void> {
  const { message, afterJob } = run;
  try {
    await runJob(deps, run);
  } catch (error) {
    const delayMs = error instanceof RetryLater ? error.delayMs : 0;
    await deps.producer
      .enqueue([{ ...message, delayMs }])
      .catch((err: unknown) => reportError(deps, err, 'queue not reached; the sweep will enqueue the job'));
    if (!(error instanceof RetryLater)) throw error;
    return;
  }
  await afterJob(message);
}
