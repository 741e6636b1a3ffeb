import { type Database, type JobRow, withOrganization } from '@riskboard/db';
import type { JobProgress } from '@riskboard/contract';
import { report, type Run } from './job-row.ts';

/** At most five times a second (contract, Jobs and events). */
const everyMs = 200;
/** A run without progress still writes a heartbeat this often. */
const heartbeatMs = 2000;

export interface Progress {
  /** Sets the progress that the next write stores and publishes. */
  set(progress: JobProgress): void;
  /** Nothing is written after this resolves, so that the run can write its end itself. */
  stop(): Promise<void>;
}

export interface ProgressOptions {
  database: Database;
  run: Run;
  /** Called with the job after every write: pages show progress and the last update. */
  onWritten(job: JobRow): Promise<void>;
  /** The run no longer owns its job. */
  onLost(): void;
  onError(error: unknown): void;
}

/** Writes a run's newest progress in its own small transactions, one at a time; older values are never written. */
export function startProgress(options: ProgressOptions): Progress {
  let newest: JobProgress | undefined;
  let writing: Promise<void> | undefined;
  /** By `performance.now()`. */
  let lastWrite = performance.now();
  let stopped = false;

  async function write(): Promise<void> {
    const progress = newest;
    newest = undefined;
    lastWrite = performance.now();
    try {
      const job = await withOrganization(options.database, options.run.organizationId, (trx) =>
        report(trx, options.run, progress),
      );
      if (stopped) return;
      if (!job) options.onLost();
      else await options.onWritten(job);
    } catch (error) {
      options.onError(error);
    }
  }

  const timer = setInterval(() => {
    const due = newest !== undefined || performance.now() - lastWrite >= heartbeatMs;
    if (!due || writing) return;
    writing = write().finally(() => {
      writing = undefined;
    });
  }, everyMs);

  return {
    set(progress) {
      newest = progress;
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await writing;
    },
  };
}
