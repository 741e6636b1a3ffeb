import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProducer, type Producer } from './producer.ts';
import { prepareQueue } from './prepare.ts';
import { RetryLater } from './runner.ts';
import { payloadMaxBytes, payloadVersion, type MessagePayload } from './message.ts';
import { namesOf } from './config.ts';
import { openConnection } from './connection/open.ts';
import { newMessage, newMessages, startTestConsumer, type TestConsumer } from './testing/messages.ts';
import { backends, suiteOptions, type TestBackend } from './testing/backends.ts';

describe.each(backends)('the queue on $name', suiteOptions, ({ open }) => {
  let backend: TestBackend;
  let producer: Producer;
  let consumers: TestConsumer[];

  beforeEach(async () => {
    backend = await open();
    producer = openProducer(backend.config);
    consumers = [];
  });
  afterEach(async () => {
    await Promise.all(consumers.map(({ consumer }) => consumer.close({ timeoutMs: 2000 })));
    await producer.close();
    await backend.close();
  });
  const consume = (
    ...run: Parameters<typeof startTestConsumer> extends [unknown, ...infer Rest] ? Rest : never
  ): TestConsumer => {
    const consumer = startTestConsumer(backend.config, ...run);
    consumers.push(consumer);
    return consumer;
  };
  const empty = { waiting: 0, active: 0, delayed: 0 };
  const drained = () => vi.waitFor(async () => expect(await producer.counts()).toEqual(empty));

  /** Accesses the queue as another version or BullMQ's own tools do. */
  async function raw<T>(look: (queue: Queue) => Promise<T>): Promise<T> {
    const link = openConnection(backend.direct, {
      answerMs: 1000,
      queueOffline: true,
      onError: () => undefined,
    });
    const queue = new Queue(namesOf(backend.direct).queue, { connection: link }, link.queueBackend);
    try {
      return await look(queue as unknown as Queue);
    } finally {
      await queue.close();
      await link.end();
    }
  }

  it('delivers a message to exactly one consumer and removes it', async () => {
    const message = newMessage();
    const seen: unknown[] = [];
    const first = consume(async (received) => void seen.push(received));
    const second = consume(async (received) => void seen.push(received));
    await producer.enqueue([message]);
    await vi.waitFor(() => expect(seen).toEqual([message]));
    await drained();
    expect(first.received.length + second.received.length).toBe(1);
    expect(await raw((queue) => queue.getJobCounts())).toMatchObject({ completed: 0, failed: 0 });
  });

  it('stores ids and a kind, in at most 1 KiB', async () => {
    const message = newMessage();
    await producer.enqueue([message]);
    const job = await raw((queue) => queue.getJob(message.id));
    expect(job?.data).toEqual({ v: payloadVersion, ...message });
    expect(JSON.stringify(job?.data).length).toBeLessThan(payloadMaxBytes);
  });

  it('delivers messages by their order, so that one of another organization passes the 40 of the first', async () => {
    const many = newMessages(40).map((message, index) => ({ ...message, order: index + 1 }));
    const single = { ...newMessage(), order: 1 };
    await producer.enqueue(many);
    await producer.enqueue([single]);
    expect(await producer.counts()).toEqual({ ...empty, waiting: 41 });
    const consumer = consume(undefined, 1);
    await consumer.waitForRuns(41);
    expect(consumer.received.indexOf(single.id)).toBe(1);
    expect(consumer.received.filter((id) => id !== single.id)).toEqual(many.map(({ id }) => id));
    await drained();
  });

  it('delivers a delayed message again before later ones of its order and after earlier ones', async () => {
    const [early, late, last] = newMessages(3);
    if (!early || !late || !last) throw new Error('three messages');
    const released = Promise.withResolvers<void>();
    const consumer = consume(async ({ id }) => {
      if (id === late.id) return released.promise;
      if (id !== early.id || consumer.runsOf(id) > 1) return;
      await producer.enqueue([
        { ...late, order: 4 },
        { ...last, order: 6 },
      ]);
      throw new RetryLater(100);
    }, 1);
    await producer.enqueue([{ ...early, order: 5 }]);
    await consumer.waitForRuns(2);
    // Longer than the delay of the first message.
    await sleep(150);
    released.resolve();
    await consumer.waitForRuns(4);
    expect(consumer.received.slice(2)).toEqual([early.id, last.id]);
  });

  it('accepts the same id again once it is done', async () => {
    const message = newMessage();
    const consumer = consume();
    await producer.enqueue([message]);
    await consumer.waitForRuns(1);
    await drained();
    await producer.enqueue([message]);
    await consumer.waitForRuns(2);
    expect(consumer.received).toEqual([message.id, message.id]);
  });

  it('reports the error of a run that throws, and accepts the same id again', async () => {
    const message = newMessage();
    const consumer = consume(() => Promise.reject(new Error('no such file')));
    await producer.enqueue([message]);
    await consumer.waitForRuns(1);
    await drained();
    expect(consumer.errors.map(({ message }) => message)).toEqual(['no such file']);
    await producer.enqueue([message]);
    await consumer.waitForRuns(2);
  });

  it('does not enqueue an id twice while it waits or runs', async () => {
    const message = newMessage();
    await producer.enqueue([message]);
    await producer.enqueue([message, message, newMessage()]);
    expect(await producer.counts()).toEqual({ ...empty, waiting: 2 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const consumer = consume(() => released);
    await consumer.waitForRuns(2);
    await producer.enqueue([message]);
    await producer.enqueue([message, message]);
    expect(await producer.counts()).toEqual({ ...empty, active: 2 });
    release();
    await drained();
    expect(consumer.runsOf(message.id)).toBe(1);
  });

  it('enqueues a thousand messages in one call, in order', async () => {
    const many = newMessages(1000);
    await producer.enqueue(many);
    expect(await producer.counts()).toEqual({ ...empty, waiting: 1000 });
    const consumer = consume(undefined, 1);
    await consumer.waitForRuns(1000, 30_000);
    expect(consumer.received).toEqual(many.map(({ id }) => id));
  });

  it('delivers a message after its delay', async () => {
    const consumer = consume();
    // The consumer must wait before the message is enqueued.
    // Longer than the delay of the first message.
    await sleep(150);
    const start = performance.now();
    await producer.enqueue([{ ...newMessage(), delayMs: 700 }]);
    await consumer.waitForRuns(1);
    expect(performance.now() - start).toBeGreaterThan(650);
  });

  it('delivers a message again with the same id after the delay of RetryLater', async () => {
    const message = newMessage();
    const at: number[] = [];
    const consumer = consume(async () => {
      at.push(performance.now());
      if (at.length < 3) throw new RetryLater(500.5);
    });
    await producer.enqueue([message]);
    await consumer.waitForRuns(3);
    expect(consumer.received).toEqual([message.id, message.id, message.id]);
    for (const index of [1, 2]) {
      const pause = (at[index] ?? 0) - (at[index - 1] ?? 0);
      expect(pause).toBeGreaterThan(450);
      expect(pause).toBeLessThan(2500);
    }
    expect(consumer.errors).toEqual([]);
    await drained();
  });

  it('keeps the delay when the same id is enqueued meanwhile', async () => {
    const message = newMessage();
    const at: number[] = [];
    const consumer = consume(async () => {
      at.push(performance.now());
      if (at.length === 1) throw new RetryLater(1500);
    });
    await producer.enqueue([message]);
    await vi.waitFor(async () => expect((await producer.counts()).delayed).toBe(1));
    await producer.enqueue([message]);
    await producer.enqueue([message, message]);
    await consumer.waitForRuns(2);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(1400);
    await drained();
    expect(consumer.received).toHaveLength(2);
  });

  it('leaves a message of a newer version for newer workers', async () => {
    const message = newMessage();
    const payload: MessagePayload = { v: payloadVersion + 1, ...message };
    await raw((queue) => queue.add(message.kind, payload, { jobId: message.id, removeOnComplete: true }));
    const consumer = consume();
    await vi.waitFor(async () => expect(await producer.counts()).toEqual({ ...empty, delayed: 1 }));
    expect(consumer.received).toEqual([]);
    expect(consumer.warnings).toEqual(['left a message of an unknown version for a newer worker']);
  });

  it('counts live consumers', async () => {
    expect(await producer.workers()).toBe(0);
    const first = consume();
    consume();
    await vi.waitFor(async () => expect(await producer.workers()).toBe(2));
    await first.consumer.close({ timeoutMs: 1000 });
    await vi.waitFor(async () => expect(await producer.workers()).toBe(1));
  });

  it('prepareQueue may run several times at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => prepareQueue(backend.direct)));
    await expect(producer.ping()).resolves.toBeUndefined();
  });
});
