import { type JobKind, jobCancelledTopic, jobKinds } from '@riskboard/contract';
import { type JobRow, releaseWaiting, withOrganization } from '@riskboard/db';
import { type QueueMessage, RetryLater } from '@riskboard/queue';
import type { Deps } from '../deps.ts';
import { announce, announceJobs, ring } from './announce.ts';
import type { JobHandler, JobHandlers } from './context.ts';
import { JobFailure, Superseded } from './failures.ts';
import { claim, endAs, findJob, putBack, type Run, succeed } from './job-row.ts';
import { startProgress } from './progress.ts';

/** A retry waits longer each time: 1 s, 2 s, 4 s for a kind that starts at 1 s. */
const backoff = (kind: JobKind, tries: number): number => jobKinds[kind].backoffMs * 2 ** (tries - 1);

/**
 * Runs the job that a bell rang for. The row decides everything: whether there is anything to do, how often it was
 * tried, and whether this run may still write.
 * @throws RetryLater when the bell is to ring again
 * @throws the reason of `shutdown` when the worker closes: the job is back in the queue, and so must its bell be
 * @throws what the database said when it could not be asked; the sweep rings again
 */
export async function runJob(
  deps: Deps,
  handlers: JobHandlers,
  bell: QueueMessage,
  shutdown: AbortSignal,
): Promise<void> {
  const claimed = await claim(deps.database, bell);
  if (!claimed) return;
  if ('againMs' in claimed) throw new RetryLater(claimed.againMs);
  if ('over' in claimed) return announceJobs(deps, claimed.over);
  const { job } = claimed;
  await announceJobs(deps, [job]);
  const run: Run = { organizationId: bell.organizationId, jobId: job.id, attempt: job.attempt };
  try {
    await work(deps, handlers[bell.kind], { job, run, shutdown });
  } catch (error) {
    await settle(deps, { bell, job, run, error, shutdown });
  }
}

interface Work {
  job: JobRow;
  run: Run;
  shutdown: AbortSignal;
}

async function work(deps: Deps, handler: JobHandler<JobKind>, { job, run, shutdown }: Work): Promise<void> {
  const lost = new AbortController();
  const loseIt = () => lost.abort(new Superseded());
  // Not waited for: a relay that is away delays no work, and a cancellation shows at the next progress anyway.
  const listening = deps.relay.subscribe(jobCancelledTopic(job.id), loseIt).catch(() => undefined);
  const progress = startProgress({
    database: deps.database,
    run,
    onWritten: (row) => announceJobs(deps, [row]),
    onLost: loseIt,
    onError: (err) => deps.log.warn({ err, jobId: job.id }, 'progress not written'),
  });
  let released: JobRow[] = [];
  try {
    const events = await handler({
      deps,
      organizationId: run.organizationId,
      job,
      payload: jobKinds[job.kind as JobKind].payload.parse(job.payload),
      signal: AbortSignal.any([lost.signal, shutdown]),
      progress: progress.set,
      async finish(trx, result) {
        await progress.stop();
        if (!(await succeed(trx, run, result))) throw new Superseded();
        released = await releaseWaiting(trx, job.id);
      },
    });
    await ring(deps, released);
    const ended = await withOrganization(deps.database, run.organizationId, (trx) => findJob(trx, job.id));
    await announceJobs(deps, ended ? [ended, ...released] : released);
    await announce(deps, run.organizationId, events);
  } finally {
    await progress.stop();
    void listening.then((unsubscribe) => unsubscribe?.()).catch(() => undefined);
  }
}

interface Ending extends Work {
  bell: QueueMessage;
  error: unknown;
}

/** What becomes of a run that did not finish: nothing, a failure that its row tells, or another try. */
async function settle(deps: Deps, { bell, job, run, error, shutdown }: Ending): Promise<void> {
  if (error instanceof Superseded) return;
  if (error instanceof JobFailure) return fail(deps, run, { code: error.code, message: error.message });
  if (shutdown.aborted) {
    await change(deps, run, { delayMs: 0, counted: false, message: null });
    shutdown.throwIfAborted();
  }
  deps.log.error({ err: error, jobId: job.id, kind: job.kind, attempt: job.attempt }, 'job run failed');
  if (job.tries >= jobKinds[bell.kind].tries) {
    return fail(deps, run, {
      code: 'internal',
      message: `Something went wrong; given up after ${job.tries} tries.`,
    });
  }
  const delayMs = backoff(bell.kind, job.tries);
  const again = await change(deps, run, {
    delayMs,
    counted: true,
    message: 'Something went wrong; trying again.',
  });
  if (again) throw new RetryLater(delayMs);
}

async function fail(deps: Deps, run: Run, error: { code: string; message: string }): Promise<void> {
  const over = await withOrganization(deps.database, run.organizationId, (trx) => endAs(trx, run, error));
  await announceJobs(deps, over);
}

async function change(deps: Deps, run: Run, again: Parameters<typeof putBack>[2]): Promise<boolean> {
  const put = await withOrganization(deps.database, run.organizationId, (trx) => putBack(trx, run, again));
  await announceJobs(deps, put);
  return put.length > 0;
}
