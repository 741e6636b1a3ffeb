import type { JobRow } from '@riskboard/db';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterCommit, publishWithinMs } from './publish.ts';
import { countWithinMs } from './security/rate-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);
const log = { warn: () => undefined } as never;
const job = {
  id: 'job',
  organization_id: 'organization',
  waits_for: null,
  state: 'queued',
  created_at: new Date(),
} as JobRow;

it('a call waits for Redis, for its count and for sending together, at most three quarters of a second', () => {
  expect(countWithinMs + publishWithinMs).toBeLessThanOrEqual(750);
});

it('a reply does not wait for a queue and a relay that do not respond, and both are still sent to', async () => {
  const producer = { enqueue: vi.fn<() => Promise<never>>(never), ping: never, workers: never };
  const relay = { publish: vi.fn<() => Promise<never>>(never), subscribe: never };
  const publishing = afterCommit({ producer, relay }, log).jobsQueued([job]);
  await vi.advanceTimersByTimeAsync(publishWithinMs);
  await publishing;
  expect(producer.enqueue).toHaveBeenCalledTimes(1);
  expect(relay.publish).toHaveBeenCalledTimes(1);
});

it('a reply waits for what is sent at once, so that a caller finds its job in the queue', async () => {
  const order: string[] = [];
  const producer = {
    enqueue: async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      order.push('enqueued');
    },
    ping: never,
    workers: never,
  };
  const publishing = afterCommit(
    { producer, relay: { publish: async () => undefined, subscribe: never } },
    log,
  )
    .jobsQueued([job])
    .then(() => order.push('replied'));
  await vi.advanceTimersByTimeAsync(10);
  await publishing;
  expect(order).toEqual(['enqueued', 'replied']);
});
