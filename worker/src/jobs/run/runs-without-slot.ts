import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type QueueMessage, RetryLater } from '@riskboard/queue';

/** Runs at once. A run that waits for a server costs a socket and little memory. */
const most = { all: 32, ofOrganization: 2 } as const;

/** Delay of a message that is refused: until those before it have had their turn, as long as the last run took. */
const delays = { shortestMs: 100, firstMs: 200, longestMs: 300_000 } as const;

/** Milliseconds that an aborted run has to queue its job again. */
const abortedMs = 5000;

interface Lane {
  running: number;
  /** Of the last run of the organization. */
  lastMs: number;
  /** When the last refused message is delivered again. */
  next: number;
}

export interface RunsWithoutSlot {
  /**
   * Starts the run of a message, whose slot is free at once.
   * @throws RetryLater while the organization, or the process, has as many of these runs as it may have
   */
  start(message: QueueMessage, run: (shutdown: AbortSignal) => Promise<void>): void;
  /** Waits for the runs, then aborts those that remain. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Runs of jobs without a slot (`needsSlot` of the contract). An organization has few of them at once, so that it leaves
 * room to others.
 */
export function createRunsWithoutSlot(onError: (error: unknown) => void): RunsWithoutSlot {
  const lanes = new Map<string, Lane>();
  const runs = new Set<Promise<void>>();
  const shutdown = new AbortController();

  function refuse(lane: Lane): never {
    const now = performance.now();
    const apart = Math.max(delays.shortestMs, lane.lastMs / most.ofOrganization);
    lane.next = Math.min(Math.max(now, lane.next) + apart, now + delays.longestMs);
    // The difference of two times is not exact.
    throw new RetryLater(Math.min(Math.ceil(lane.next - now), delays.longestMs));
  }

  async function follow(lane: Lane, run: (shutdown: AbortSignal) => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    lane.running += 1;
    try {
      await run(shutdown.signal);
    } catch (error) {
      if (!shutdown.signal.aborted) onError(error);
    }
    lane.running -= 1;
    lane.lastMs = performance.now() - startedAt;
    forgetIdle();
  }

  /** Of organizations without a run or a refused message that is still delayed. */
  function forgetIdle(): void {
    for (const [organizationId, { running, next }] of lanes)
      if (running === 0 && next <= performance.now()) lanes.delete(organizationId);
  }

  function laneOf(organizationId: string): Lane {
    const lane = lanes.get(organizationId) ?? { running: 0, lastMs: delays.firstMs, next: 0 };
    lanes.set(organizationId, lane);
    return lane;
  }

  return {
    start({ organizationId }, run) {
      const lane = laneOf(organizationId);
      if (runs.size >= most.all || lane.running >= most.ofOrganization) refuse(lane);
      const running = follow(lane, run).finally(() => runs.delete(running));
      runs.add(running);
    },
    async close(timeoutMs) {
      const ended = () => Promise.all(runs);
      await Promise.race([ended(), sleep(timeoutMs, undefined, { ref: false })]);
      shutdown.abort(new Error('The worker is closing'));
      await Promise.race([ended(), sleep(abortedMs, undefined, { ref: false })]);
    },
  };
}
