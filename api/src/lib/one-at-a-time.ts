/** Runs work of one key after the other, work of different keys side by side. In this process only. */
export function oneAtATime(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
