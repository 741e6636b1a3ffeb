import { DelayedError, WaitingError, type Job } from 'bullmq';
import { fromPayload, type Bell, type BellPayload } from './bell.ts';
import type { OnError, QueueLog } from './config.ts';
import { RetryLater } from './retry-later.ts';

export type Run = (bell: Bell, signal: AbortSignal) => Promise<void>;

export interface RunnerOptions {
  run: Run;
  onError: OnError;
  log: QueueLog;
}

/** What BullMQ's worker calls for each job, and the way out when the process must end. */
export interface Runner {
  process(job: Job<BellPayload, void>, token?: string): Promise<void>;
  /** Bells taken from now on go straight back to the others. */
  stop(): void;
  /** Asks those still running to end, by their signal. */
  abort(): void;
  /** Gives back the bells of those that do not listen; what they still do is refused by the row's attempt. */
  giveBack(): Promise<void>;
}

interface Running {
  job: Job<BellPayload, void>;
  token: string | undefined;
  abort: AbortController;
  givenBack: boolean;
}

/** How long a bell of another version waits before a worker looks at it again. */
const foreignPauseMs = 5000;

export function createRunner({ run, onError, log }: RunnerOptions): Runner {
  const running = new Set<Running>();
  let stopping = false;

  /** `run` decides: done, again later, or (anything else thrown) dropped, as state and tries are the row's. */
  async function attend(bell: Bell, self: Running): Promise<void> {
    try {
      await run(bell, self.abort.signal);
    } catch (error) {
      if (self.givenBack) return;
      if (error instanceof RetryLater) await postpone(self, error.delayMs);
      if (self.abort.signal.aborted) await handBack(self);
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    async process(job, token) {
      const self: Running = { job, token, abort: new AbortController(), givenBack: false };
      if (stopping) await handBack(self);
      const bell = fromPayload(job.data);
      if (!bell) {
        log.warn(
          { jobId: job.id, kind: job.name, v: job.data.v },
          'bell of another version left for its worker',
        );
        return postpone(self, foreignPauseMs);
      }
      running.add(self);
      try {
        await attend(bell, self);
      } finally {
        running.delete(self);
      }
      if (self.givenBack) throw new WaitingError();
    },
    stop() {
      stopping = true;
    },
    abort() {
      for (const { abort } of running) abort.abort(new Error('The worker is closing'));
    },
    async giveBack() {
      await Promise.all(
        [...running].map(async (self) => {
          self.givenBack = true;
          await self.job.moveToWait(self.token);
        }),
      );
    },
  };
}

/** Keeps its id: rung meanwhile, it still waits for its time (BullMQ holds an id once, in whatever state). */
async function postpone({ job, token }: Running, delayMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}

async function handBack({ job, token }: Running): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
