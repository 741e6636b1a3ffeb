import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProducer, type Producer } from './producer.ts';
import { prepareQueue } from './prepare.ts';
import { RetryLater } from './retry-later.ts';
import { payloadMaxBytes, payloadVersion, type BellPayload } from './bell.ts';
import { namesOf } from './config.ts';
import { openLink } from './open-link.ts';
import { aBell, bells, gate, listen, type Listener } from './test/bells.ts';
import { backends, suiteOptions, type TestBackend } from './test/backends.ts';

describe.each(backends)('the queue on $name', suiteOptions, ({ open }) => {
  let backend: TestBackend;
  let producer: Producer;
  let listeners: Listener[];

  beforeEach(async () => {
    backend = await open();
    producer = openProducer(backend.config);
    listeners = [];
  });
  afterEach(async () => {
    await Promise.all(listeners.map(({ consumer }) => consumer.close({ timeoutMs: 2000 })));
    await producer.close();
    await backend.close();
  });
  const hear = (
    ...run: Parameters<typeof listen> extends [unknown, ...infer Rest] ? Rest : never
  ): Listener => {
    const listener = listen(backend.config, ...run);
    listeners.push(listener);
    return listener;
  };
  const empty = { waiting: 0, active: 0, delayed: 0 };
  const drained = () => vi.waitFor(async () => expect(await producer.counts()).toEqual(empty), 5000);

  /** What another version, or BullMQ's own tools, would see. */
  async function raw<T>(look: (queue: Queue) => Promise<T>): Promise<T> {
    const link = openLink(backend.direct, { answerMs: 1000, queueOffline: true, onError: () => undefined });
    const queue = new Queue(namesOf(backend.direct).queue, { connection: link }, link.queueBackend);
    try {
      return await look(queue as unknown as Queue);
    } finally {
      await queue.close();
      await link.end();
    }
  }

  it('brings a bell to one consumer and keeps nothing of it', async () => {
    const bell = aBell();
    const seen: unknown[] = [];
    const first = hear(async (heard) => void seen.push(heard));
    const second = hear(async (heard) => void seen.push(heard));
    await producer.ring([bell]);
    await vi.waitFor(() => expect(seen).toEqual([bell]), 5000);
    await drained();
    expect(first.heard.length + second.heard.length).toBe(1);
    expect(await raw((queue) => queue.getJobCounts())).toMatchObject({ completed: 0, failed: 0 });
  });

  it('carries ids and a kind, in at most 1 KiB', async () => {
    const bell = aBell();
    await producer.ring([bell]);
    const job = await raw((queue) => queue.getJob(bell.id));
    expect(job?.data).toEqual({ v: payloadVersion, ...bell });
    expect(JSON.stringify(job?.data).length).toBeLessThan(payloadMaxBytes);
  });

  it('rings the same id again once it is done', async () => {
    const bell = aBell();
    const listener = hear();
    await producer.ring([bell]);
    await listener.hears(1);
    await drained();
    await producer.ring([bell]);
    await listener.hears(2);
    expect(listener.heard).toEqual([bell.id, bell.id]);
  });

  it('rings the same id again after a run that threw, and says what it threw', async () => {
    const bell = aBell();
    const listener = hear(() => Promise.reject(new Error('no such file')));
    await producer.ring([bell]);
    await listener.hears(1);
    await drained();
    expect(listener.errors.map(({ message }) => message)).toEqual(['no such file']);
    await producer.ring([bell]);
    await listener.hears(2);
  });

  it('does not ring twice what waits or runs', async () => {
    const bell = aBell();
    await producer.ring([bell]);
    await producer.ring([bell, bell, aBell()]);
    expect(await producer.counts()).toEqual({ ...empty, waiting: 2 });
    const { opened, open: finish } = gate();
    const listener = hear(() => opened);
    await listener.hears(2);
    await producer.ring([bell]);
    await producer.ring([bell, bell]);
    expect(await producer.counts()).toEqual({ ...empty, active: 2 });
    finish();
    await drained();
    expect(listener.times(bell.id)).toBe(1);
  });

  it('rings a thousand in one call, and in order', async () => {
    const many = bells(1000);
    await producer.ring(many);
    expect(await producer.counts()).toEqual({ ...empty, waiting: 1000 });
    const listener = hear(undefined, 1);
    await listener.hears(1000, 30_000);
    expect(listener.heard).toEqual(many.map(({ id }) => id));
  });

  it('holds a bell back for its delay', async () => {
    const listener = hear();
    // It shall wait already when the bell comes.
    await sleep(300);
    const start = performance.now();
    await producer.ring([{ ...aBell(), delayMs: 700 }]);
    await listener.hears(1);
    expect(performance.now() - start).toBeGreaterThan(650);
    expect(performance.now() - start).toBeLessThan(3000);
  });

  it('comes again after the delay that RetryLater asks for, under the same id', async () => {
    const bell = aBell();
    const at: number[] = [];
    const listener = hear(async () => {
      at.push(performance.now());
      if (at.length < 3) throw new RetryLater(500);
    });
    await producer.ring([bell]);
    await listener.hears(3);
    expect(listener.heard).toEqual([bell.id, bell.id, bell.id]);
    for (const index of [1, 2]) {
      const pause = (at[index] ?? 0) - (at[index - 1] ?? 0);
      expect(pause).toBeGreaterThan(450);
      expect(pause).toBeLessThan(2500);
    }
    expect(listener.errors).toEqual([]);
    await drained();
  });

  it('keeps to the delay when the sweep rings meanwhile', async () => {
    const bell = aBell();
    const at: number[] = [];
    const listener = hear(async () => {
      at.push(performance.now());
      if (at.length === 1) throw new RetryLater(1500);
    });
    await producer.ring([bell]);
    await vi.waitFor(async () => expect((await producer.counts()).delayed).toBe(1), 3000);
    await producer.ring([bell]);
    await producer.ring([bell, bell]);
    await listener.hears(2);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(1400);
    await drained();
    expect(listener.heard).toHaveLength(2);
  });

  it('leaves a bell of a newer version for the workers that know it', async () => {
    const bell = aBell();
    const payload: BellPayload = { v: payloadVersion + 1, ...bell };
    await raw((queue) => queue.add(bell.kind, payload, { jobId: bell.id, removeOnComplete: true }));
    const listener = hear();
    await vi.waitFor(async () => expect(await producer.counts()).toEqual({ ...empty, delayed: 1 }), 5000);
    expect(listener.heard).toEqual([]);
    expect(listener.warnings).toEqual(['bell of another version left for its worker']);
  });

  it('counts live consumers', async () => {
    expect(await producer.workers()).toBe(0);
    const first = hear();
    hear();
    await vi.waitFor(async () => expect(await producer.workers()).toBe(2), 5000);
    await first.consumer.close({ timeoutMs: 1000 });
    await vi.waitFor(async () => expect(await producer.workers()).toBe(1), 5000);
  });

  it('is prepared by several processes at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => prepareQueue(backend.direct)));
    await expect(producer.ping()).resolves.toBeUndefined();
  });
});
