/** Makes calls share a run: the one that is in progress, or one that began less than `forMs` ago. */
export function shareRuns<T>(forMs: number, run: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | undefined;
  let isRunning = false;
  let startedAt = -Infinity;
  return () => {
    if (latest && (isRunning || performance.now() - startedAt < forMs)) return latest;
    startedAt = performance.now();
    isRunning = true;
    latest = run().finally(() => {
      isRunning = false;
    });
    return latest;
  };
}
