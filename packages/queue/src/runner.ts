import { DelayedError, WaitingError, type Job } from 'bullmq';
import { fromPayload, type QueueMessage, type MessagePayload } from './message.ts';
import type { OnError, QueueLog } from './config.ts';

/** Thrown by a consumer's `run`: deliver the same message again, no sooner than `delayMs` from now. */
export class RetryLater extends Error {
  readonly delayMs: number;

  constructor(delayMs: number, options?: ErrorOptions) {
    super(`Retry in ${delayMs} ms`, options);
    this.name = 'RetryLater';
    this.delayMs = delayMs;
  }
}

/** Processes one message. The signal aborts when the worker closes before the run has ended. */
export type Run = (message: QueueMessage, signal: AbortSignal) => Promise<void>;

export interface RunnerOptions {
  run: Run;
  onError: OnError;
  log: QueueLog;
}

/** Runs the handler for each BullMQ job and returns unfinished messages to the queue when the process closes. */
export interface Runner {
  process(job: Job<MessagePayload, void>, token?: string): Promise<void>;
  /** Messages received from now on are returned to the queue at once. */
  stop(): void;
  /** Aborts the signal of every running handler. */
  abort(): void;
  /**
   * Returns the messages of handlers that ignored the signal. Their later writes are refused, because the job row has
   * a newer attempt by then.
   */
  returnMessages(): Promise<void>;
}

interface Running {
  job: Job<MessagePayload, void>;
  token: string | undefined;
  abort: AbortController;
  returned: boolean;
}

/** How long a message of an unknown version is delayed before a worker looks at it again. */
const unknownVersionDelayMs = 5000;

export function createRunner({ run, onError, log }: RunnerOptions): Runner {
  const running = new Set<Running>();
  let stopping = false;

  /**
   * Resolves when the message is done. RetryLater delays it; any other error drops it, because the job row holds the
   * state and the number of tries.
   */
  async function runHandler(message: QueueMessage, self: Running): Promise<void> {
    try {
      await run(message, self.abort.signal);
    } catch (error) {
      if (self.returned) return;
      if (error instanceof RetryLater) await postpone(self, error.delayMs);
      if (self.abort.signal.aborted) await returnToQueue(self);
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    async process(job, token) {
      const self: Running = { job, token, abort: new AbortController(), returned: false };
      if (stopping) await returnToQueue(self);
      const message = fromPayload(job.data);
      if (!message) {
        log.warn(
          { jobId: job.id, kind: job.name, v: job.data.v },
          'left a message of an unknown version for a newer worker',
        );
        return postpone(self, unknownVersionDelayMs);
      }
      running.add(self);
      try {
        await runHandler(message, self);
      } finally {
        running.delete(self);
      }
      if (self.returned) throw new WaitingError();
    },
    stop() {
      stopping = true;
    },
    abort() {
      for (const { abort } of running) abort.abort(new Error('The worker is closing'));
    },
    async returnMessages() {
      await Promise.all(
        [...running].map(async (self) => {
          self.returned = true;
          await self.job.moveToWait(self.token);
        }),
      );
    },
  };
}

/**
 * The id stays in BullMQ, which holds each id only once, in any state: enqueuing it again does not shorten the delay.
 */
async function postpone({ job, token }: Running, delayMs: number): Promise<never> {
  // PostgreSQL stores whole milliseconds, and refuses others.
  await job.moveToDelayed(Date.now() + Math.ceil(delayMs), token);
  throw new DelayedError();
}

async function returnToQueue({ job, token }: Running): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
