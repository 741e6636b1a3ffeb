import { writeFile } from 'node:fs/promises';
import { repeat } from './repeat.ts';

const everyMs = 10_000;
/** A sweep has this long to end, also when the database does not answer. */
const longestSweepMs = 60_000;

export interface HeartbeatOptions {
  file: string;
  /** Interval of the sweeps. */
  sweepMs: number;
  onError: (error: unknown) => void;
}

export interface Heartbeat {
  /** A sweep has ended, with or without an error. */
  sweepEnded(): void;
  stop(): Promise<void>;
}

const beat = (file: string): Promise<void> =>
  writeFile(file, `${new Date().toISOString()}\n`, { mode: 0o600 });

/** A full disk may have space again later. */
const isTemporary = (code: string): boolean => ['ENOSPC', 'EDQUOT'].includes(code);

/** Writes the file once. @returns why a worker cannot start with it, for one line to the operator */
export async function heartbeatProblem(file: string): Promise<string | undefined> {
  try {
    await beat(file);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (isTemporary(code)) return undefined;
    return `${file} is not writable (${code}): create its folder, change its owner, or set another file`;
  }
}

/**
 * Writes the time into the file every 10 seconds while the event loop runs and sweeps end. A health check reads the age of
 * the file, so the worker needs no port. A database that is away does not end the heartbeat: a restart would not help.
 */
export function startHeartbeat({ file, sweepMs, onError }: HeartbeatOptions): Heartbeat {
  /** By `performance.now()`. */
  let endedAt = performance.now();
  const beating = repeat({
    everyMs,
    async work() {
      if (performance.now() - endedAt > sweepMs + longestSweepMs) return;
      await beat(file);
    },
    onError,
  });
  beating.now();
  return {
    sweepEnded() {
      endedAt = performance.now();
    },
    stop: beating.stop,
  };
}
