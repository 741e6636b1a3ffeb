export interface Repeating {
  /** A round at once; or one more after the running one, which may have looked too early. */
  now(): void;
  /** No new round; resolves when the running one has ended. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  everyMs: number;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Works every so many milliseconds and whenever it is asked to, one round at a time. A round that fails ends no other. */
export function repeat({ everyMs, work, onError }: RepeatOptions): Repeating {
  let running: Promise<void> | undefined;
  let askedAgain = false;
  const stopping = new AbortController();

  async function rounds(): Promise<void> {
    do {
      askedAgain = false;
      await work().catch(onError);
    } while (askedAgain && !stopping.signal.aborted);
    running = undefined;
  }
  const begin = (): void => {
    if (!stopping.signal.aborted) running ??= rounds();
  };
  const timer = setInterval(begin, everyMs);
  return {
    now() {
      askedAgain = true;
      begin();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
