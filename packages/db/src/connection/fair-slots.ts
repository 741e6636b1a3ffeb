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

export interface SlotWork {
  /**
   * The work may hold its slot while it waits for something else, such as a lock. Such work leaves one slot of its key, one
   * of the whole, and a tenth of the waiting places of its key to other work, where there is more than one.
   */
  mayBlock?: boolean;
}

export interface FairSlots {
  /**
   * Runs work as soon as its key and the whole have a free slot. Keys that wait are served in rotation, and work of
   * one key in its order; only work that may block lets other work pass.
   * @throws SlotsFull when too much of this key waits already
   */
  run<T>(key: string, work: () => Promise<T>, kind?: SlotWork): Promise<T>;
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
  mayBlock: boolean;
  start(): void;
  reject(error: unknown): void;
}

/** Slots in use: of all work, and of the work that may block. */
interface Used {
  all: number;
  blocking: number;
}

const count = (used: Used, mayBlock: boolean, by: 1 | -1): void => {
  used.all += by;
  if (mayBlock) used.blocking += by;
};

const fits = (used: Used, limit: number, mayBlock: boolean): boolean =>
  used.all < limit && (!mayBlock || used.blocking < Math.max(1, limit - 1));

/** Shares a limited resource of this process among keys, so that none can use or block all of it. */
export function createFairSlots({ total, perKey, waiting }: SlotLimits): FairSlots {
  const whole: Used = { all: 0, blocking: 0 };
  const running = new Map<string, Used>();
  /** Keys in the order in which they are served next. Nothing in a queue fits into the free slots. */
  const queues = new Map<string, Waiter[]>();
  const mostBlockingWaiting = Math.ceil(waiting * 0.9);

  const runningOf = (key: string): Used => running.get(key) ?? { all: 0, blocking: 0 };
  const canStart = (key: string, mayBlock: boolean): boolean =>
    fits(whole, total, mayBlock) && fits(runningOf(key), perKey, mayBlock);

  function occupy(key: string, mayBlock: boolean): void {
    const used = runningOf(key);
    count(whole, mayBlock, 1);
    count(used, mayBlock, 1);
    running.set(key, used);
  }

  function release(key: string, mayBlock: boolean): void {
    const used = runningOf(key);
    count(whole, mayBlock, -1);
    count(used, mayBlock, -1);
    if (used.all === 0) running.delete(key);
    startWaiting();
  }

  /** Removes the first waiter that fits from its queue, whose key is served last from then on. */
  function nextWaiter(): { key: string; waiter: Waiter } | undefined {
    for (const [key, queue] of queues) {
      const at = queue.findIndex(({ mayBlock }) => canStart(key, mayBlock));
      const [waiter] = at < 0 ? [] : queue.splice(at, 1);
      if (!waiter) continue;
      queues.delete(key);
      if (queue.length > 0) queues.set(key, queue);
      return { key, waiter };
    }
    return undefined;
  }

  function startWaiting(): void {
    while (whole.all < total) {
      const next = nextWaiter();
      if (!next) return;
      occupy(next.key, next.waiter.mayBlock);
      next.waiter.start();
    }
  }

  function isFull(queue: readonly Waiter[], mayBlock: boolean): boolean {
    if (queue.length >= waiting) return true;
    return mayBlock && queue.filter((waiter) => waiter.mayBlock).length >= mostBlockingWaiting;
  }

  function slotFor(key: string, mayBlock: boolean): Promise<void> {
    if (canStart(key, mayBlock)) {
      occupy(key, mayBlock);
      return Promise.resolve();
    }
    const queue = queues.get(key) ?? [];
    if (isFull(queue, mayBlock)) return Promise.reject(new SlotsFull(key));
    queues.set(key, queue);
    return new Promise((resolve, reject) => {
      queue.push({ mayBlock, start: resolve, reject });
    });
  }

  async function take(key: string, { mayBlock = false }: SlotWork = {}): Promise<() => void> {
    await slotFor(key, mayBlock);
    let isHeld = true;
    return () => {
      if (isHeld) release(key, mayBlock);
      isHeld = false;
    };
  }

  return {
    async run(key, work, kind) {
      const end = await take(key, kind);
      try {
        return await work();
      } finally {
        end();
      }
    },
    take: (key) => take(key),
    rejectWaiting(error) {
      const waiters = [...queues.values()].flat();
      queues.clear();
      for (const { reject } of waiters) reject(error);
    },
  };
}
