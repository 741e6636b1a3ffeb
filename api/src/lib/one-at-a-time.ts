/** Runs work with the same key sequentially and work with different keys concurrently, within this process. */
export function oneAtATime(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const run = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = run.catch(() => undefined);
    last.set(key, settled);
    try {
      return await run;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
