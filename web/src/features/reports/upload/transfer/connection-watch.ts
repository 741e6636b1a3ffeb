/** Milliseconds until the first check; it doubles after each check that fails. */
const firstCheckMs = 1000;
const longestCheckMs = 30_000;

interface WatchPorts {
  /** Whether the API answers; never rejects. */
  isReachable(): Promise<boolean>;
  /** @param wasDown whether a check had failed before: then the connection was lost, and not only a request */
  onReturn(wasDown: boolean): void;
}

/** Checks at growing intervals, after a request had no answer, until the API answers again. */
export function createConnectionWatch({ isReachable, onReturn }: WatchPorts) {
  let isRunning = false;
  let isChecking = false;
  let failedChecks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(): void {
    timer = setTimeout(() => void check(), Math.min(firstCheckMs * 2 ** failedChecks, longestCheckMs));
  }

  async function check(): Promise<void> {
    if (!isRunning || isChecking) return;
    clearTimeout(timer);
    isChecking = true;
    const answers = await isReachable();
    isChecking = false;
    // It may have been stopped meanwhile.
    if (!isRunning) return;
    if (!answers) {
      failedChecks += 1;
      return schedule();
    }
    isRunning = false;
    onReturn(failedChecks > 0);
  }

  return {
    start(): void {
      if (isRunning) return;
      isRunning = true;
      failedChecks = 0;
      if (!isChecking) schedule();
    },
    stop(): void {
      isRunning = false;
      clearTimeout(timer);
    },
    /** Checks at once, such as when the browser is online again. */
    check: () => void check(),
  };
}
