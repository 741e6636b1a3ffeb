import { setImmediate } from 'node:timers/promises';
import { type JobKind, triesOf } from '@riskboard/contract';
import { jobKindSchemas } from '@riskboard/contract/schemas';
import {
  ContentDeleted,
  endEarlierRuns,
  endRun,
  inRunSessions,
  type JobRow,
  lockWithWaiting,
  releaseWaiting,
  runInRequest,
  withOrganization,
} from '@riskboard/db';
import { type QueueMessage, RetryLater } from '@riskboard/queue';
import { freeBytes, isConnectionError, reservedBytes } from '@riskboard/operation';
import type { Deps } from '../../deps.ts';
import { enqueue, publishEvents, publishJobs, reportError } from './publish.ts';
import { onCancelled } from './cancellations.ts';
import type { JobHandler, JobHandlers } from './context.ts';
import { JobFailure, Superseded } from './failures.ts';
import { claim, endAs, isDue, putBack, type Run, runOf, succeed } from './job-row.ts';
import { startProgress } from './progress.ts';
import { type RunEnd, runReport } from './run-report.ts';

interface Pause {
  delayMs: number;
  retrying: string;
  failed: string;
}

const busy: Pause = {
  delayMs: 2000,
  retrying: 'Waiting for other work on the same data.',
  failed: 'Other work locked the same data for too long. Try again later.',
};
const full: Pause = {
  delayMs: 30_000,
  retrying: 'Disk full: waiting for free space.',
  failed: 'Disk full: nothing was stored. Ask your administrator to free space, then try again.',
};
/** Errors that the job does not cause, by SQLSTATE: conflicts with other transactions, and a full disk. */
const pauses: Readonly<Record<string, Pause>> = {
  '40001': busy,
  '40P01': busy,
  '55P03': busy,
  '53100': full,
};
/**
 * After this many runs that did not count as tries, a run that waited in vain for a lock counts as one: a lock that is
 * never released must not keep the job in the queue forever. A run waits for a lock for up to 30 s (session limits of
 * the worker), so this is at most 11 minutes.
 */
const maxUncountedRuns = 20;

const uncountedRuns = ({ attempt, tries }: JobRow): number => attempt - tries;

const pauseFor = (error: unknown): Pause | undefined =>
  error instanceof Error && 'code' in error ? pauses[String(error.code)] : undefined;

/** A run that lost its job ends by itself within this time, or its sessions are ended. */
const lostMs = 2000;

/** Milliseconds until the next try, which are more each time: 1 s, 2 s, 4 s. */
const backoff = (tries: number): number => 1000 * 2 ** (tries - 1);

export interface JobRun {
  handlers: JobHandlers;
  message: QueueMessage;
  shutdown: AbortSignal;
  /** Receives the jobs that waited for this one, after the commit: to be enqueued, or run. Absent: they are enqueued. */
  release?: (jobs: JobRow[]) => Promise<void>;
}

/**
 * Runs the job of a queue message. The row decides whether there is anything to do, how often it was tried, and whether
 * this run may still write.
 * @throws RetryLater when the message must be delivered again
 * @throws the reason of `shutdown` when the worker closes: the job is queued again, and so must its message be
 * @throws the error of a database that does not answer; the sweep enqueues the job again
 */
export async function runJob(
  deps: Deps,
  { handlers, message, shutdown, release = (jobs) => enqueue(deps, jobs) }: JobRun,
): Promise<void> {
  const claimed = await claim(deps.database, message);
  if (!claimed) return;
  if ('retryMs' in claimed) throw new RetryLater(claimed.retryMs);
  if ('held' in claimed) return publishJobs(deps, [claimed.held]);
  if ('failed' in claimed) {
    const givenUp = claimed.failed.find(({ id }) => id === message.id);
    if (givenUp) runReport(deps, givenUp)({ outcome: 'failed', code: givenUp.error_code ?? undefined });
    return publishJobs(deps, claimed.failed);
  }
  const { job, isTakeover } = claimed;
  // After the first statement of the work is sent, and before its end is published; never rejects.
  const published = setImmediate().then(() => publishJobs(deps, [job]));
  const run = runOf(job);
  const report = runReport(deps, job);
  if (isTakeover)
    await endEarlierRuns(deps.database, run).catch((err: unknown) =>
      reportError(deps, err, 'sessions of an earlier run not ended'),
    );
  return inRun(job, run, async () => {
    try {
      report(await work(deps, handlers[message.kind], { job, run, shutdown, release, published }));
    } catch (error) {
      await settle(deps, { message, job, run, error, shutdown, report });
      // Queued again before this run ended: until now the queue held this message, and accepted no other one of the job.
      if (await isDue(deps.database, run)) throw new RetryLater(0);
    } finally {
      await published;
    }
  });
}

/** What the run does has the id of the job's request and the name of the run's sessions. */
const inRun = <T>(job: JobRow, run: Run, work: () => T): T =>
  runInRequest({ id: job.request_id }, () => inRunSessions(run, work));

/** @throws an error with the SQLSTATE of a full disk, before the database stops because of one */
async function requireSpace({ databaseFolder }: Deps): Promise<void> {
  if ((await freeBytes(databaseFolder)) < reservedBytes)
    throw Object.assign(new Error('Too little space is left on the disk of the database.'), {
      code: '53100',
    });
}

interface Work extends Required<Pick<JobRun, 'shutdown' | 'release'>> {
  job: JobRow;
  run: Run;
  /** The publication of the start: that of the end follows it. */
  published: Promise<void>;
}

/** @returns how the run ended */
async function work(
  deps: Deps,
  handler: JobHandler<JobKind>,
  { job, run, shutdown, release, published }: Work,
): Promise<RunEnd> {
  const lost = new AbortController();
  let ending: NodeJS.Timeout | undefined;
  function abort(): void {
    lost.abort(new Superseded());
    ending ??= setTimeout(() => void endSessions(deps, run), lostMs);
  }
  const endWatch = onCancelled(deps.relay, job.id, abort);
  const progress = startProgress({
    database: deps.database,
    run,
    onWritten: (row) => publishJobs(deps, [row]),
    onLost: abort,
    onError: (err) => reportError(deps, err, 'progress not written'),
  });
  /** The job as it ended, and the jobs that waited for it: read inside the transaction that changed them. */
  let ended: JobRow | undefined;
  let released: JobRow[] = [];
  const kind = job.kind as JobKind;
  try {
    await requireSpace(deps);
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
        // Jobs wait for parses only.
        if (kind === 'stix.parse') await lockWithWaiting(trx, job.id);
        ended = await succeed(trx, run, { kind, result });
        if (!ended) throw new Superseded();
        released = await releaseWaiting(trx, job.id);
      },
    });
    await published;
    // None of these rejects; the relay sends events in the order of the calls.
    await Promise.all([
      release(released),
      publishJobs(deps, ended ? [ended, ...released] : released),
      publishEvents(deps, run.organizationId, events),
    ]);
    return { outcome: 'succeeded', result: ended?.result };
  } catch (error) {
    lost.signal.throwIfAborted();
    throw error;
  } finally {
    endWatch();
    await progress.stop();
    clearTimeout(ending);
  }
}

const endSessions = (deps: Deps, run: Run): Promise<void> =>
  endRun(deps.database, run).catch((err: unknown) =>
    reportError(deps, err, 'sessions of a lost run not ended'),
  );

interface Ending extends Omit<Work, 'release' | 'published'> {
  report: (end: RunEnd) => void;
  message: QueueMessage;
  error: unknown;
}

const internalTexts = {
  retrying: 'An internal error occurred. Trying again.',
  failed: (tries: number) => `Failed ${tries} times because of an internal error.`,
};
/** Ends a run that threw: nothing to do, a failure stored in its row, or another try. */
async function settle(deps: Deps, { message, job, run, error, shutdown, report }: Ending): Promise<void> {
  if (error instanceof Superseded) return report({ outcome: 'superseded' });
  if (error instanceof JobFailure) {
    await fail(deps, run, { code: error.code, message: error.message });
    return report({ outcome: 'failed', code: error.code });
  }
  if (shutdown.aborted) {
    await change(deps, run, { delayMs: 0, counted: false, message: null });
    report({ outcome: 'returned' });
    shutdown.throwIfAborted();
  }
  const pause = pauseFor(error);
  if (pause && uncountedRuns(job) < maxUncountedRuns) {
    const again = { delayMs: pause.delayMs, counted: false, message: pause.retrying };
    const put = await change(deps, run, again);
    report({ outcome: 'waiting', code: (error as { code?: string }).code });
    if (put) throw new RetryLater(pause.delayMs);
    return;
  }
  // An outage is one line, not one stack for each job that it interrupts; the run has its own line.
  if (deps.outages && isConnectionError(error)) deps.outages.report(error, 'job run interrupted');
  else if (error instanceof ContentDeleted) deps.log.info({ jobId: job.id, kind: job.kind }, error.message);
  else deps.log.error({ err: error, jobId: job.id, kind: job.kind, attempt: job.attempt }, 'job run failed');
  if (job.tries >= triesOf(message.kind)) {
    await fail(deps, run, { code: 'internal', message: pause?.failed ?? internalTexts.failed(job.tries) });
    return report({ outcome: 'failed', code: 'internal' });
  }
  const delayMs = backoff(job.tries);
  const again = await change(deps, run, {
    delayMs,
    counted: true,
    message: pause?.retrying ?? internalTexts.retrying,
  });
  // A run that was taken over has lost its session.
  report(again ? { outcome: 'retrying', code: 'internal' } : { outcome: 'superseded' });
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
