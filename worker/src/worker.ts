import { type Consumer, type QueueConfig, startConsumer } from '@riskboard/queue';
import type { Deps } from './deps.ts';
import { keepHouse } from './housekeeping/housekeeping.ts';
import { handlers } from './jobs/handlers.ts';
import { runJob } from './jobs/run/run-job.ts';
import { repeat } from './housekeeping/repeat.ts';
import { sweep } from './housekeeping/sweep.ts';

const housekeepingMs = 3_600_000;

export interface WorkerOptions {
  queue: QueueConfig;
  concurrency: number;
  /** How often lost work is looked for. */
  sweepMs: number;
}

export interface RunningWorker {
  /** Takes no new job, lets the running ones end, gives back what does not end in time. */
  close(timeoutMs: number): Promise<void>;
}

/** Starts working: jobs as their bells ring, and a sweep now and then for those whose bell was lost. */
export function startWorker(deps: Deps, { queue, concurrency, sweepMs }: WorkerOptions): RunningWorker {
  const { log } = deps;
  const consumer: Consumer = startConsumer(queue, {
    concurrency,
    run: (bell, signal) => runJob(deps, handlers, bell, signal),
    onError: (err) => log.error({ err }, 'queue'),
    log,
  });
  const thresholds = { silentMs: queue.lockMs + queue.stallMs, unheardMs: 2 * sweepMs };
  const sweeping = repeat({
    everyMs: sweepMs,
    async work() {
      const rung = await sweep(deps, thresholds);
      if (rung > 0) log.info({ rung }, 'rang again for waiting jobs');
    },
    onError: (err) => log.warn({ err }, 'sweep failed'),
  });
  const housekeeping = repeat({
    everyMs: housekeepingMs,
    async work() {
      const gone = await keepHouse(deps.database);
      if (gone > 0) log.info({ gone }, 'outdated rows deleted');
    },
    onError: (err) => log.warn({ err }, 'housekeeping failed'),
  });

  housekeeping.now();

  return {
    async close(timeoutMs) {
      const swept = Promise.all([sweeping.stop(), housekeeping.stop()]);
      await consumer.close({ timeoutMs });
      await swept;
    },
  };
}
