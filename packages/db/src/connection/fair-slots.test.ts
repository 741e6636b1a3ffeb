import { expect, it } from 'vitest';
import { createFairSlots, SlotsFull } from './fair-slots.ts';

interface Held {
  key: string;
  end(): Promise<void>;
}

/** Starts work that runs until its `end`; `started` lists the keys in the order in which their work started. */
function harness(limits: Parameters<typeof createFairSlots>[0]) {
  const slots = createFairSlots(limits);
  const started: Held[] = [];
  const start = (key: string): Promise<void> =>
    slots.run(key, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      started.push({
        key,
        async end() {
          resolve();
          await new Promise(setImmediate);
        },
      });
      await promise;
    });
  const keys = () => started.map(({ key }) => key).join('');
  return { slots, started, start, keys };
}

const settled = () => new Promise(setImmediate);

it('one key never has more slots than its share, and leaves the others to other keys', async () => {
  const { start, keys } = harness({ total: 12, perKey: 3, waiting: 100 });
  for (let n = 0; n < 60; n += 1) void start('A');
  void start('B');
  await settled();
  expect(keys()).toBe('AAAB');
});

it('serves keys that wait in rotation, so that one call of B waits for one call of A and not for 40', async () => {
  const { start, started, keys } = harness({ total: 1, perKey: 1, waiting: 100 });
  for (let n = 0; n < 40; n += 1) void start('A');
  void start('B');
  void start('C');
  await settled();
  for (let n = 0; n < 6; n += 1) await started[n]?.end();
  expect(keys()).toBe('AABCAAA');
});

it('refuses work of a key only when the queue of this key is full', async () => {
  const { start, keys } = harness({ total: 2, perKey: 1, waiting: 2 });
  for (let n = 0; n < 3; n += 1) void start('A');
  await expect(start('A')).rejects.toThrow(SlotsFull);
  void start('B');
  await settled();
  expect(keys()).toBe('AB');
});

it('frees the slot of work that failed', async () => {
  const { slots } = harness({ total: 1, perKey: 1, waiting: 1 });
  await expect(slots.run('A', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(slots.run('A', () => Promise.resolve('done'))).resolves.toBe('done');
});

it('frees a slot that was taken once, however often it is released', async () => {
  const { slots, start, keys } = harness({ total: 2, perKey: 1, waiting: 10 });
  const release = await slots.take('A');
  void start('A');
  await settled();
  expect(keys()).toBe('');
  release();
  release();
  void start('B');
  void start('C');
  await settled();
  expect(keys()).toBe('AB');
});

it('rejects everything that waits when the resource is not reachable', async () => {
  const { slots, start, started, keys } = harness({ total: 1, perKey: 1, waiting: 10 });
  const first = start('A');
  const others = ['A', 'B'].map(start);
  slots.rejectWaiting(new Error('not reachable'));
  for (const other of others) await expect(other).rejects.toThrow('not reachable');
  await started[0]?.end();
  await first;
  void start('B');
  await settled();
  expect(keys()).toBe('AB');
});
