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
  const run = (key: string, name: string, mayBlock: boolean): Promise<void> =>
    slots.run(
      key,
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        started.push({
          key: name,
          async end() {
            resolve();
            await new Promise(setImmediate);
          },
        });
        await promise;
      },
      { mayBlock },
    );
  const start = (key: string) => run(key, key, false);
  /** Work that may block, listed in lower case. */
  const startBlocking = (key: string) => run(key, key.toLowerCase(), true);
  const keys = () => started.map(({ key }) => key).join('');
  return { slots, started, start, startBlocking, keys };
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

it('work that may block leaves one slot of its key to other work, which overtakes what waits', async () => {
  const { start, startBlocking, started, keys } = harness({ total: 12, perKey: 3, waiting: 100 });
  for (let n = 0; n < 5; n += 1) void startBlocking('A');
  for (let n = 0; n < 3; n += 1) void start('A');
  await settled();
  expect(keys()).toBe('aaA');
  for (let n = 2; n < 4; n += 1) await started[n]?.end();
  expect(keys()).toBe('aaAAA');
  await started[0]?.end();
  expect(keys()).toBe('aaAAAa');
});

it('work that may block uses every slot but one, and starts in its order with other work', async () => {
  const { start, startBlocking, started, keys } = harness({ total: 12, perKey: 2, waiting: 100 });
  for (let n = 0; n < 2; n += 1) void start('A');
  void startBlocking('A');
  void start('A');
  await settled();
  await started[0]?.end();
  await started[1]?.end();
  expect(keys()).toBe('AAaA');
});

it('work that may block leaves one slot of all keys, and keys that wait with it are served in rotation', async () => {
  const { start, startBlocking, started, keys } = harness({ total: 4, perKey: 3, waiting: 100 });
  for (const key of 'AABBCC') void startBlocking(key);
  void start('D');
  await settled();
  expect(keys()).toBe('aabD');
  for (let n = 0; n < 3; n += 1) await started[n]?.end();
  expect(keys()).toBe('aabDbcc');
});

it('with one slot of a key, work that may block uses it', async () => {
  const { startBlocking, keys } = harness({ total: 1, perKey: 1, waiting: 1 });
  void startBlocking('A');
  await settled();
  expect(keys()).toBe('a');
});

it('work that may block leaves a tenth of the waiting places of its key to other work', async () => {
  const { start, startBlocking, keys } = harness({ total: 12, perKey: 2, waiting: 10 });
  for (let n = 0; n < 10; n += 1) void startBlocking('A');
  await expect(startBlocking('A')).rejects.toThrow(SlotsFull);
  void start('A');
  void start('A');
  await expect(start('A')).rejects.toThrow(SlotsFull);
  void startBlocking('B');
  await settled();
  expect(keys()).toBe('aAb');
});
