import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, type IQueueBackend, type JobProgress } from 'bullmq';
import type { MessagePayload } from './message.ts';
import { namesOf, type OnError, type QueueConfig, type QueueLog } from './config.ts';
import { settles } from './connection/deadline.ts';
import type { BackendConnection } from './connection/connection.ts';
import { openConnection } from './connection/open.ts';
import { throttleErrors } from './connection/throttle-errors.ts';
import type { Opened } from './connection/open-until-ready.ts';
import { createRunner, type Runner, type RunnerOptions } from './runner.ts';

export interface ConsumerOptions extends RunnerOptions {
  /** How many messages run at once in this process. */
  concurrency: number;
}

export interface Consumer {
  /**
   * Takes no new message, waits for the running ones, and returns those to the queue that do not end in time (their
   * signals are aborted near the end of it). Resolves within `timeoutMs` plus a second or two for the connections,
   * regardless of the state of the backend.
   */
  close(options: { timeoutMs: number }): Promise<void>;
}

type MessageWorker = Worker<MessagePayload, void, string, IQueueBackend, JobProgress, BackendConnection>;

/** The job row counts tries, so BullMQ must never give up by itself (its default is the second stall). */
const maxStalledCount = 1_000_000;
/** The last part of a close: half for handlers to react to the signal, half to return the messages of the others. */
const returnMs = 2000;
/** A consumer's commands are short; only a failing backend takes longer. */
const answerMs = 3000;
const clockToleranceMs = 2000;
/** Pause before a worker that could not start, or stopped by itself, is opened again. */
const reopenMs = 500;

/**
 * Runs messages in this process. May start before the backend does, and continues by itself after the backend
 * restarts. A worker that lost its lock (frozen, disconnected) is not stopped: another worker has the message by then,
 * and the job row refuses writes of an older attempt.
 */
export function startConsumer(config: QueueConfig, options: ConsumerOptions): Consumer {
  const runner = createRunner(options);
  const report = throttleErrors(options.onError);
  const open = () => openWorker(config, { ...options, runner, onError: report });
  const closing = new AbortController();
  let opened = open();
  let closed: Promise<void> | undefined;

  async function runUntilClosed(): Promise<void> {
    try {
      await opened.ready();
      await warnAboutClock(opened.client.opts.connection, options.log);
      await opened.client.run();
    } catch (error) {
      report(error as Error);
    }
    if (closing.signal.aborted) return;
    await opened.close();
    await sleep(reopenMs);
    if (closing.signal.aborted) return;
    opened = open();
    return runUntilClosed();
  }
  void runUntilClosed();

  async function close(timeoutMs: number): Promise<void> {
    closing.abort();
    runner.stop();
    const drained = opened.client.close();
    const grace = Math.min(returnMs, timeoutMs) / 2;
    if (!(await settles(timeoutMs - 2 * grace, drained))) {
      runner.abort();
      if (!(await settles(grace, drained))) await settles(grace, runner.returnMessages());
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
 * BullMQ reads the worker's own clock: for delays on both backends, and on PostgreSQL for locks too. With a clock an
 * hour off a worker still works, but delayed messages and the takeover of its lost messages are early or late: a handler
 * refuses what is early, and `Producer.recover` limits what is late.
 */
async function warnAboutClock(connection: BackendConnection, log: QueueLog): Promise<void> {
  const offsetMs = Math.round(Date.now() - (await connection.now()));
  if (Math.abs(offsetMs) > clockToleranceMs)
    log.warn({ offsetMs }, "this machine's clock differs from the backend's");
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
): Opened<MessageWorker> {
  const names = namesOf(config);
  const consumerName = `${names.consumer}${randomBytes(6).toString('hex')}`;
  const connection = openConnection(config, { answerMs, queueOffline: true, consumerName, onError });
  const worker: MessageWorker = new Worker(
    names.queue,
    (job, token) => runner.process(job, token),
    {
      connection,
      autorun: false,
      concurrency,
      lockDuration: config.lockMs,
      stalledInterval: config.stallMs,
      maxStalledCount,
      // After a refused connection; BullMQ's default is 15 s.
      runRetryDelay: 1000,
    },
    connection.queueBackend,
  );
  worker.on('error', onError);
  // The runner handles errors of the handler: this one kept a message from going back to the queue.
  worker.on('failed', (_job, error) => onError(error));
  worker.on('stalled', (jobId) =>
    log.warn({ jobId }, 'took over a message from a worker that stopped responding'),
  );
  return {
    client: worker,
    ready: () => worker.waitUntilReady(),
    async close() {
      await settles(500, worker.close(true));
      await settles(500, worker.getBackend().close(true));
      await connection.end();
    },
  };
}
