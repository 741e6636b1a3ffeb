import { setTimeout as sleep } from 'node:timers/promises';
import { type QueueMessage, RetryLater } from '@riskboard/queue';
import { expect, it, vi } from 'vitest';
import { createRunsWithoutSlot, type RunsWithoutSlot } from './runs-without-slot.ts';

const messageOf = (organizationId: string): QueueMessage => ({
  id: crypto.randomUUID(),
  kind: 'webhook.deliver',
  organizationId,
});
const never = (shutdown: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    shutdown.addEventListener('abort', () => reject(shutdown.reason as Error));
  });
const unexpected = (error: unknown) => expect(error).toBeUndefined();

/** The delay of a message that was refused; undefined for one whose run was started. */
function refusalOf(runs: RunsWithoutSlot, organizationId: string): number | undefined {
  try {
    runs.start(messageOf(organizationId), never);
    return undefined;
  } catch (error) {
    if (error instanceof RetryLater) return error.delayMs;
    throw error;
  }
}

it('an organization has two runs at once, the process 32', async () => {
  const runs = createRunsWithoutSlot(unexpected);
  const refused = Array.from({ length: 20 }, (_, n) =>
    [1, 2, 3].map(() => refusalOf(runs, `organization ${n}`) !== undefined),
  );
  expect(refused.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => [false, false, true]));
  expect(refused.slice(16)).toEqual(Array.from({ length: 4 }, () => [true, true, true]));
  await runs.close(0);
});

it('refused messages of an organization return one after the other, at the latest after five minutes', async () => {
  const runs = createRunsWithoutSlot(unexpected);
  const delays = Array.from({ length: 4000 }, () => refusalOf(runs, 'one') ?? 0);
  expect(delays.slice(0, 2)).toEqual([0, 0]);
  expect(delays.slice(2)).toEqual(delays.slice(2).toSorted((a, b) => a - b));
  expect(new Set(delays.slice(2, 100)).size).toBe(98);
  expect(Math.max(...delays)).toBe(300_000);
  await runs.close(0);
});

it('refused messages of an organization without a run return one after the other too', async () => {
  const runs = createRunsWithoutSlot(unexpected);
  for (let n = 0; n < 32; n += 1) runs.start(messageOf(`organization ${n}`), never);
  const delays = Array.from({ length: 50 }, () => refusalOf(runs, 'late') ?? 0);
  expect(delays).toEqual([...new Set(delays)].toSorted((a, b) => a - b));
  expect(delays).toHaveLength(50);
  await runs.close(0);
});

it('a run that ends makes room, also one that fails, whose error is reported', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  const runs = createRunsWithoutSlot(onError);
  const ends: (() => void)[] = [];
  for (const fails of [false, true])
    runs.start(messageOf('one'), async () => {
      await new Promise<void>((resolve) => void ends.push(resolve));
      if (fails) throw new Error('no database');
    });
  expect(refusalOf(runs, 'one')).toBeDefined();
  for (const end of ends) end();
  await vi.waitFor(() => expect(refusalOf(runs, 'one')).toBeUndefined());
  expect(onError.mock.calls).toEqual([[new Error('no database')]]);
  await runs.close(0);
});

it('closing waits for the runs, then aborts them', async () => {
  const runs = createRunsWithoutSlot(unexpected);
  const ended: string[] = [];
  runs.start(messageOf('one'), async () => {
    await sleep(50);
    ended.push('in time');
  });
  runs.start(messageOf('two'), (shutdown) =>
    never(shutdown).finally(() => ended.push(`aborted: ${String(shutdown.reason)}`)),
  );
  await runs.close(200);
  expect(ended).toEqual(['in time', 'aborted: Error: The worker is closing']);
});
