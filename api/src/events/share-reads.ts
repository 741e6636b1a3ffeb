/**
 * Reads once for all callers of a key that wait when the read begins. A caller never gets a read that began before its
 * call, so that it misses nothing that was committed until then.
 */
export function shareReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();

  async function start(key: string): Promise<T> {
    // Callers of the same moment join this read, also when none is running.
    await running.get(key)?.catch(() => undefined);
    next.delete(key);
    const reading = read(key);
    running.set(key, reading);
    try {
      return await reading;
    } finally {
      if (running.get(key) === reading) running.delete(key);
    }
  }

  return (key) => {
    const waiting = next.get(key);
    if (waiting !== undefined) return waiting;
    const { promise, resolve } = Promise.withResolvers<T>();
    next.set(key, promise);
    setImmediate(() => resolve(start(key)));
    return promise;
  };
}
