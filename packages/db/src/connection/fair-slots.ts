/** Work was refused because too much of the same key waits already. */
export class SlotsFull extends Error {
  readonly key: string;

  constructor(key: string) {
    super('Too many transactions of this organization are waiting');
    this.name = 'SlotsFull';
    this.key = key;
  }
}

export interface SlotLimits {
  /** Most work at once. */
  total: number;
  /** Most work at once of one key. */
  perKey: number;
  /** Most work of one key that waits; more is refused. */
  waiting: number;
}

export interface FairSlots {
  /**
   * Runs work as soon as its key and the whole have a free slot. Keys that wait are served in rotation, and work of
   * one key in its order.
   * @throws SlotsFull when too much of this key waits already
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Takes a slot as `run` does, for work that is not one call.
   * @returns what releases the slot; a second call has no effect
   * @throws SlotsFull when too much of this key waits already
   */
  take(key: string): Promise<() => void>;
  /** Rejects everything that waits, because the shared resource is not reachable. */
  rejectWaiting(error: unknown): void;
}

interface Waiter {
  start(): void;
  reject(error: unknown): void;
}

/** Shares a limited resource of this process among keys, so that none can use or block all of it. */
export function createFairSlots({ total, perKey, waiting }: SlotLimits): FairSlots {
  const running = new Map<string, number>();
  /** Keys in the order in which they are served next. */
  const queues = new Map<string, Waiter[]>();
  let used = 0;

  const runningOf = (key: string): number => running.get(key) ?? 0;

  function occupy(key: string): void {
    used += 1;
    running.set(key, runningOf(key) + 1);
  }

  function release(key: string): void {
    used -= 1;
    const left = runningOf(key) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    startWaiting();
  }

  function startWaiting(): void {
    while (used < total) {
      const next = [...queues].find(([key]) => runningOf(key) < perKey);
      if (!next) return;
      const [key, queue] = next;
      const waiter = queue.shift();
      queues.delete(key);
      if (queue.length > 0) queues.set(key, queue);
      occupy(key);
      waiter?.start();
    }
  }

  function slotFor(key: string): Promise<void> {
    const queue = queues.get(key);
    if (!queue && used < total && runningOf(key) < perKey) {
      occupy(key);
      return Promise.resolve();
    }
    if (queue && queue.length >= waiting) return Promise.reject(new SlotsFull(key));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { start: resolve, reject };
      if (queue) queue.push(waiter);
      else queues.set(key, [waiter]);
    });
  }

  async function take(key: string): Promise<() => void> {
    await slotFor(key);
    let isHeld = true;
    return () => {
      if (isHeld) release(key);
      isHeld = false;
    };
  }

  return {
    async run(key, work) {
      const end = await take(key);
      try {
        return await work();
      } finally {
        end();
      }
    },
    take,
    rejectWaiting(error) {
      const waiters = [...queues.values()].flat();
      queues.clear();
      for (const { reject } of waiters) reject(error);
    },
  };
}
