import { needsSlot } from '@riskboard/contract';
import { type Consumer, type QueueConfig, type QueueMessage, startConsumer } from '@riskboard/queue';
import type { Deps } from './deps.ts';
import { hourlyRound } from './housekeeping/hourly.ts';
import { handlers } from './jobs/handlers.ts';
import { reportError } from './jobs/run/publish.ts';
import { runMessage, runWithoutMessage } from './jobs/run/run-message.ts';
import { createRunsWithoutSlot } from './jobs/run/runs-without-slot.ts';
import { startAlerts } from './housekeeping/alert-rounds.ts';
import type { Heartbeat } from './housekeeping/heartbeat.ts';
import { moveChangesOfBatches } from './housekeeping/batch-changes.ts';
import { moveManyEntries, requestAfterJob } from './housekeeping/overview.ts';
import { startRecalculation } from './housekeeping/recalculate-stale.ts';
import { mailDueReports } from './housekeeping/mail-reports.ts';
import { repeat } from './housekeeping/repeat.ts';
import { runSteps } from './housekeeping/steps.ts';
import { sweep } from './housekeeping/sweep.ts';

const housekeepingMs = 3_600_000;
const moveMs = 60_000;
const mailReportsMs = 60_000;

export interface WorkerOptions {
  queue: QueueConfig;
  concurrency: number;
  /** Days after its end at which a batch is deleted. */
  batchDays: number;
  /** Interval of the search for lost jobs. */
  sweepMs: number;
  /** Receives the ends of the sweeps, and is stopped with the worker. */
  heartbeat?: Heartbeat | undefined;
}

export interface RunningWorker {
  /** Starts no further job, waits for the running ones, and queues again those that do not end in time. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Runs jobs as their messages arrive, sweeps for jobs whose message was lost, deletes outdated rows, recalculates stale
 * scores, checks the numbers of the overview, evaluates alert rules, and mails risk reports that are due.
 */
export function startWorker(deps: Deps, options: WorkerOptions): RunningWorker {
  const { queue, concurrency, sweepMs, heartbeat, batchDays } = options;
  const { log } = deps;
  const onError = (err: unknown): void => reportError(deps, err, 'queue');
  const afterJob = (ended: QueueMessage): Promise<void> => requestAfterJob(deps, ended);
  const withoutSlot = createRunsWithoutSlot(onError);
  const consumer: Consumer = startConsumer(queue, {
    concurrency,
    async run(message, signal) {
      const start = (shutdown: AbortSignal) => ({ handlers, message, shutdown, afterJob });
      if (needsSlot(message.kind)) return runMessage(deps, start(signal));
      withoutSlot.start(message, (shutdown) => runWithoutMessage(deps, start(shutdown)));
    },
    onError,
    log,
  });
  const thresholds = { silentMs: queue.lockMs + queue.stallMs, messageLostMs: 2 * sweepMs };
  const sweeping = repeat({
    everyMs: sweepMs,
    async work() {
      const enqueued = await sweep(deps, thresholds).finally(() => heartbeat?.sweepEnded());
      if (enqueued > 0) log.info({ enqueued }, 'jobs enqueued again');
    },
    onError: (err) => reportError(deps, err, 'sweep failed'),
  });
  const stopping = new AbortController();
  const roundDeps: Deps = { ...deps, stopping: stopping.signal };
  const housekeeping = repeat({
    everyMs: housekeepingMs,
    work: hourlyRound(roundDeps, { batchDays }),
    onError: (err) => reportError(deps, err, 'housekeeping failed'),
  });

  const mailing = repeat({
    everyMs: mailReportsMs,
    work: async () => void (await mailDueReports(roundDeps)),
    onError: (err) => reportError(deps, err, 'risk reports not mailed'),
  });
  const moving = repeat({
    everyMs: moveMs,
    work: () =>
      runSteps(roundDeps, [
        ['entries of the overview not moved', () => moveManyEntries(roundDeps)],
        ['changes of batches not moved', () => moveChangesOfBatches(roundDeps)],
      ]),
    onError: (err) => reportError(deps, err, 'entries of the overview or changes of batches not moved'),
  });

  housekeeping.now();
  const recalculation = startRecalculation(roundDeps);
  const alerts = startAlerts(roundDeps);

  return {
    async close(timeoutMs) {
      stopping.abort();
      const swept = Promise.all([
        sweeping.stop(),
        housekeeping.stop(),
        moving.stop(),
        mailing.stop(),
        recalculation.stop(),
        alerts.stop(),
        heartbeat?.stop(),
      ]);
      await Promise.all([consumer.close({ timeoutMs }), withoutSlot.close(timeoutMs)]);
      await swept;
    },
  };
}
