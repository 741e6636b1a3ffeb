export interface Repeating {
  /** Starts a round, or another one after the running round, which may have read its data before this call. */
  now(): void;
  /** Starts no further round; resolves when the running one has ended. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  everyMs: number;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Runs `work` at an interval and on demand, one round at a time, also after a failed round. */
export function repeat({ everyMs, work, onError }: RepeatOptions): Repeating {
  let running: Promise<void> | undefined;
  let requestedAgain = false;
  const stopping = new AbortController();

  async function rounds(): Promise<void> {
    do {
      requestedAgain = false;
      await work().catch(onError);
    } while (requestedAgain && !stopping.signal.aborted);
    running = undefined;
  }
  const begin = (): void => {
    if (!stopping.signal.aborted) running ??= rounds();
  };
  const timer = setInterval(begin, everyMs);
  return {
    now() {
      requestedAgain = true;
      begin();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
