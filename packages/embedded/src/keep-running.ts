import { setTimeout as sleep } from 'node:timers/promises';
import { badConfigurationExit } from '@riskboard/contract/environment';
import type { Say } from './say.ts';

export interface Exit {
  /** Null when a signal ended it. */
  code: number | null;
  /** In words. */
  reason: string;
}

export interface Running {
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

export interface Kept {
  /** Ends it for good. */
  stop(): Promise<void>;
}

export interface Care {
  name: string;
  start(): Promise<Running>;
  say: Say;
  /** It refuses its configuration: starting it again would not help. */
  refused(): void;
}

const firstWaitMs = 250;
const longestWaitMs = 15_000;
/** Whoever ran this long was well; the next wait is a short one again. */
const wellAfterMs = 60_000;

const inSeconds = (ms: number): string => `${ms / 1000} s`;
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Starts a part of the product and starts it again with growing waits whenever it dies, saying so in one line. */
export function keepRunning(care: Care, first: Running): Kept {
  const ended = new AbortController();
  let current: Running | undefined = first;

  async function watch(): Promise<void> {
    let waitMs = firstWaitMs;
    let startedAt = Date.now();
    while (current) {
      const exit = await current.exited;
      if (ended.signal.aborted) return;
      if (exit.code === badConfigurationExit) return care.refused();
      if (Date.now() - startedAt > wellAfterMs) waitMs = firstWaitMs;
      care.say(`${care.name} ended (${exit.reason}); starting it again in ${inSeconds(waitMs)}.`);
      current = undefined;
      while (!current) {
        await sleep(waitMs, undefined, { signal: ended.signal });
        waitMs = Math.min(waitMs * 2, longestWaitMs);
        startedAt = Date.now();
        current = await care.start().catch((error: unknown) => {
          care.say(`${care.name} does not start (${words(error)}); trying again in ${inSeconds(waitMs)}.`);
          return undefined;
        });
      }
      if (ended.signal.aborted) return;
      care.say(`${care.name} is started again.`);
    }
  }

  // Ending aborts the wait; nothing else in there throws.
  const watching = watch().catch(() => {});
  return {
    async stop() {
      ended.abort();
      await current?.stop();
      await watching;
      // A start that was under way when the end came.
      await current?.stop();
    },
  };
}
