import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, type IQueueBackend, type JobProgress } from 'bullmq';
import type { BellPayload } from './bell.ts';
import { namesOf, type OnError, type QueueConfig, type QueueLog } from './config.ts';
import { settles } from './deadline.ts';
import type { Link } from './link.ts';
import { openLink } from './open-link.ts';
import { quietly } from './quiet.ts';
import type { Opened } from './reopen.ts';
import { createRunner, type Runner, type RunnerOptions } from './runner.ts';

export interface ConsumerOptions extends RunnerOptions {
  /** Bells at once in this process. */
  concurrency: number;
}

export interface Consumer {
  /**
   * Takes no new bell from the call on, waits for the running ones, and gives those back that do not end in time
   * (their signals are aborted for the last part of it). Resolves within `timeoutMs` and a second or two for the
   * connections, whatever the backend does.
   */
  close(options: { timeoutMs: number }): Promise<void>;
}

type BellWorker = Worker<BellPayload, void, string, IQueueBackend, JobProgress, Link>;

/** The row counts tries; BullMQ must never be the one to give up (its default is the second stall). */
const maxStalledCount = 1_000_000;
/** The last part of a close: half to hear the signal, half to give back the bells of those that did not. */
const handOverMs = 2000;
/** A consumer's own questions are small; only a backend in trouble takes longer. */
const answerMs = 3000;
const clockToleranceMs = 2000;
/** After a worker that could not start or stopped by itself. */
const reopenMs = 500;

/**
 * For processes that do the work. Starts before a backend that is not there yet, and goes on by itself after a
 * restart. A worker that lost its lock (frozen, cut off) is not stopped: another has the bell by then, and the row
 * refuses whoever comes with an older attempt.
 */
export function startConsumer(config: QueueConfig, options: ConsumerOptions): Consumer {
  const runner = createRunner(options);
  const report = quietly(options.onError);
  const open = () => openWorker(config, { ...options, runner, onError: report });
  const closing = new AbortController();
  let opened = open();
  let closed: Promise<void> | undefined;

  async function live(): Promise<void> {
    try {
      await opened.ready();
      await warnOfClock(opened.client.opts.connection, options.log);
      await opened.client.run();
    } catch (error) {
      report(error as Error);
    }
    if (closing.signal.aborted) return;
    await opened.close();
    await sleep(reopenMs);
    if (closing.signal.aborted) return;
    opened = open();
    return live();
  }
  void live();

  async function close(timeoutMs: number): Promise<void> {
    closing.abort();
    runner.stop();
    const drained = opened.client.close();
    const grace = Math.min(handOverMs, timeoutMs) / 2;
    if (!(await settles(timeoutMs - 2 * grace, drained))) {
      runner.abort();
      if (!(await settles(grace, drained))) await settles(grace, runner.giveBack());
    }
    await opened.close();
  }

  return {
    close({ timeoutMs }) {
      closed ??= close(timeoutMs);
      return closed;
    },
  };
}

/**
 * BullMQ reads the worker's own clock: for delays on both backends, on PostgreSQL for locks too. A worker an hour off
 * still works, but what it holds back comes at its hour, and its lost bells are taken over an hour early or late.
 */
async function warnOfClock(link: Link, log: QueueLog): Promise<void> {
  const offsetMs = Math.round(Date.now() - (await link.now()));
  if (Math.abs(offsetMs) > clockToleranceMs)
    log.warn({ offsetMs }, "this machine's clock is not the backend's");
}

interface WorkerOptions {
  runner: Runner;
  concurrency: number;
  onError: OnError;
  log: QueueLog;
}

function openWorker(
  config: QueueConfig,
  { runner, concurrency, onError, log }: WorkerOptions,
): Opened<BellWorker> {
  const names = namesOf(config);
  const consumerName = `${names.consumer}${randomBytes(6).toString('hex')}`;
  const link = openLink(config, { answerMs, queueOffline: true, consumerName, onError });
  const worker: BellWorker = new Worker(
    names.queue,
    (job, token) => runner.process(job, token),
    {
      connection: link,
      autorun: false,
      concurrency,
      lockDuration: config.lockMs,
      stalledInterval: config.stallMs,
      maxStalledCount,
      // BullMQ's 15 s would be the wait after a refused connection.
      runRetryDelay: 1000,
    },
    link.queueBackend,
  );
  worker.on('error', onError);
  worker.on('stalled', (jobId) => log.warn({ jobId }, 'bell taken from a worker that fell silent'));
  return {
    client: worker,
    ready: () => worker.waitUntilReady(),
    async close() {
      await settles(500, worker.close(true));
      await settles(500, worker.getBackend().close(true));
      await link.end();
    },
  };
}
