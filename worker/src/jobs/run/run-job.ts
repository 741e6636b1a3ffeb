import { type JobKind, jobCancelledTopic, jobKinds } from '@riskboard/contract';
import { jobKindSchemas } from '@riskboard/contract/schemas';
import { type JobRow, releaseWaiting, withOrganization } from '@riskboard/db';
import { type QueueMessage, RetryLater } from '@riskboard/queue';
import type { Deps } from '../../deps.ts';
import { enqueue, publishEvents, publishJobs } from './publish.ts';
import type { JobHandler, JobHandlers } from './context.ts';
import { JobFailure, Superseded } from './failures.ts';
import { claim, endAs, putBack, type Run, succeed } from './job-row.ts';
import { startProgress } from './progress.ts';

/** SQLSTATE serialization_failure, deadlock_detected and lock_not_available: a conflict with another transaction. */
const busy: ReadonlySet<unknown> = new Set(['40001', '40P01', '55P03']);
const busyDelayMs = 2000;
/**
 * After this many runs that did not count as tries, a run that waited in vain for a lock counts as one: a lock that is
 * never released must not keep the job in the queue forever. A run waits for a lock for up to 30 s (session limits of
 * the worker), so this is at most 11 minutes.
 */
const maxUncountedRuns = 20;

const uncountedRuns = ({ attempt, tries }: JobRow): number => attempt - tries;

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && busy.has(error.code);

/** A retry waits longer each time: 1 s, 2 s, 4 s for a kind that starts at 1 s. */
const backoff = (kind: JobKind, tries: number): number => jobKinds[kind].backoffMs * 2 ** (tries - 1);

/**
 * Runs the job of a queue message. The row decides whether there is anything to do, how often it was tried, and whether
 * this run may still write.
 * @throws RetryLater when the message must be delivered again
 * @throws the reason of `shutdown` when the worker closes: the job is queued again, and so must its message be
 * @throws the error of a database that does not answer; the sweep enqueues the job again
 */
export async function runJob(
  deps: Deps,
  handlers: JobHandlers,
  message: QueueMessage,
  shutdown: AbortSignal,
): Promise<void> {
  const claimed = await claim(deps.database, message);
  if (!claimed) return;
  if ('retryMs' in claimed) throw new RetryLater(claimed.retryMs);
  if ('failed' in claimed) return publishJobs(deps, claimed.failed);
  const { job } = claimed;
  await publishJobs(deps, [job]);
  const run: Run = { organizationId: message.organizationId, jobId: job.id, attempt: job.attempt };
  try {
    await work(deps, handlers[message.kind], { job, run, shutdown });
  } catch (error) {
    await settle(deps, { message, job, run, error, shutdown });
  }
}

interface Work {
  job: JobRow;
  run: Run;
  shutdown: AbortSignal;
}

async function work(deps: Deps, handler: JobHandler<JobKind>, { job, run, shutdown }: Work): Promise<void> {
  const lost = new AbortController();
  const abort = () => lost.abort(new Superseded());
  // Not awaited: an unreachable relay delays no work, and a cancellation shows at the next progress write anyway.
  const listening = deps.relay.subscribe(jobCancelledTopic(job.id), abort).catch(() => undefined);
  const progress = startProgress({
    database: deps.database,
    run,
    onWritten: (row) => publishJobs(deps, [row]),
    onLost: abort,
    onError: (err) => deps.log.warn({ err, jobId: job.id }, 'progress not written'),
  });
  /** The job as it ended, and the jobs that waited for it: read inside the transaction that changed them. */
  let ended: JobRow | undefined;
  let released: JobRow[] = [];
  const kind = job.kind as JobKind;
  try {
    const events = await handler({
      deps,
      organizationId: run.organizationId,
      job,
      payload: jobKindSchemas[kind].payload.parse(job.payload),
      signal: AbortSignal.any([lost.signal, shutdown]),
      progress: progress.set,
      stopProgress: progress.stop,
      async finish(trx, result) {
        await progress.stop();
        ended = await succeed(trx, run, { kind, result });
        if (!ended) throw new Superseded();
        released = await releaseWaiting(trx, job.id);
      },
    });
    await enqueue(deps, released);
    await publishJobs(deps, ended ? [ended, ...released] : released);
    await publishEvents(deps, run.organizationId, events);
  } finally {
    await progress.stop();
    void listening.then((unsubscribe) => unsubscribe?.()).catch(() => undefined);
  }
}

interface Ending extends Work {
  message: QueueMessage;
  error: unknown;
}

const internalTexts = {
  retrying: 'An internal error occurred. Trying again.',
  failed: (tries: number) => `Failed ${tries} times because of an internal error.`,
};
const busyTexts: typeof internalTexts = {
  retrying: 'Waiting for other work on the same data.',
  failed: () => 'Other work locked the same data for too long. Try again later.',
};

/** Ends a run that threw: nothing to do, a failure stored in its row, or another try. */
async function settle(deps: Deps, { message, job, run, error, shutdown }: Ending): Promise<void> {
  if (error instanceof Superseded) return;
  if (error instanceof JobFailure) return fail(deps, run, { code: error.code, message: error.message });
  if (shutdown.aborted) {
    await change(deps, run, { delayMs: 0, counted: false, message: null });
    shutdown.throwIfAborted();
  }
  const texts = isBusy(error) ? busyTexts : internalTexts;
  if (isBusy(error) && uncountedRuns(job) < maxUncountedRuns) {
    deps.log.info({ err: error, jobId: job.id, kind: job.kind }, 'job waits for another transaction');
    const again = { delayMs: busyDelayMs, counted: false, message: texts.retrying };
    if (await change(deps, run, again)) throw new RetryLater(busyDelayMs);
    return;
  }
  deps.log.error({ err: error, jobId: job.id, kind: job.kind, attempt: job.attempt }, 'job run failed');
  if (job.tries >= jobKinds[message.kind].tries)
    return fail(deps, run, { code: 'internal', message: texts.failed(job.tries) });
  const delayMs = backoff(message.kind, job.tries);
  const again = await change(deps, run, { delayMs, counted: true, message: texts.retrying });
  if (again) throw new RetryLater(delayMs);
}

async function fail(deps: Deps, run: Run, error: { code: string; message: string }): Promise<void> {
  const over = await withOrganization(deps.database, run.organizationId, (trx) => endAs(trx, run, error));
  await publishJobs(deps, over);
}

async function change(deps: Deps, run: Run, again: Parameters<typeof putBack>[2]): Promise<boolean> {
  const put = await withOrganization(deps.database, run.organizationId, (trx) => putBack(trx, run, again));
  await publishJobs(deps, put);
  return put.length > 0;
}
