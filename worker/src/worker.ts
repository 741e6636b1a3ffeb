import { type Consumer, type QueueConfig, startConsumer } from '@riskboard/queue';
import type { Deps } from './deps.ts';
import { handlers } from './jobs/handlers.ts';
import { runJob } from './jobs/run-job.ts';
import { sweep } from './sweep.ts';

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
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= sweep(deps, thresholds)
      .then(
        (rung) => (rung > 0 ? log.info({ rung }, 'rang again for waiting jobs') : undefined),
        (err: unknown) => log.warn({ err }, 'sweep failed'),
      )
      .finally(() => {
        sweeping = undefined;
      });
  }, sweepMs);

  return {
    async close(timeoutMs) {
      clearInterval(timer);
      await consumer.close({ timeoutMs });
      await sweeping;
    },
  };
}
