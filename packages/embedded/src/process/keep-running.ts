import { setTimeout as sleep } from 'node:timers/promises';
import { badConfigurationExit } from '@riskboard/contract/environment';
import type { Print } from '../startup/start-error.ts';

export interface Exit {
  /** Null when a signal ended it. */
  code: number | null;
  /** For messages. */
  reason: string;
}

export interface Running {
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

export interface Kept {
  /** Ends the program and does not restart it. */
  stop(): Promise<void>;
}

export interface KeepRunningOptions {
  name: string;
  /** @param signal aborts when the program is to end */
  start(signal: AbortSignal): Promise<Running>;
  print: Print;
  /** The program rejected its configuration, so a restart would not help. */
  onInvalidConfiguration(): void;
}

const firstWaitMs = 250;
const longestWaitMs = 15_000;
/** After a run this long the next wait is short again. */
const stableAfterMs = 60_000;

const inSeconds = (ms: number): string => `${ms / 1000} s`;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Restarts a part of the product with growing waits whenever it ends, and prints one line each time. */
export function keepRunning(options: KeepRunningOptions, first: Running): Kept {
  const ended = new AbortController();
  let current: Running | undefined = first;

  async function watch(): Promise<void> {
    let waitMs = firstWaitMs;
    let startedAt = Date.now();
    while (current) {
      const exit = await current.exited;
      if (ended.signal.aborted) return;
      if (exit.code === badConfigurationExit) return options.onInvalidConfiguration();
      if (Date.now() - startedAt > stableAfterMs) waitMs = firstWaitMs;
      options.print(`${options.name} ended (${exit.reason}); restarting in ${inSeconds(waitMs)}.`, 'warn');
      current = undefined;
      while (!current) {
        await sleep(waitMs, undefined, { signal: ended.signal });
        waitMs = Math.min(waitMs * 2, longestWaitMs);
        startedAt = Date.now();
        current = await options.start(ended.signal).catch((error: unknown) => {
          ended.signal.throwIfAborted();
          options.print(
            `${options.name} does not start (${messageOf(error)}); trying again in ${inSeconds(waitMs)}.`,
            'warn',
          );
          return undefined;
        });
      }
      if (ended.signal.aborted) return;
      options.print(`${options.name} was started again.`, 'info');
    }
  }

  // Only the abort throws here.
  const watching = watch().catch(() => {});
  return {
    async stop() {
      ended.abort();
      await current?.stop();
      await watching;
      // A start that was in progress when stop was called.
      await current?.stop();
    },
  };
}
