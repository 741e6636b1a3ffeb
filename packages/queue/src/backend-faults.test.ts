import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProducer, type Producer } from './producer.ts';
import { openRelay, type Relay } from './relay.ts';
import { newMessage, newMessages, startTestConsumer, type TestConsumer } from './test/messages.ts';
import { backends, suiteOptions, type TestBackend } from './test/backends.ts';

/** A call fails within about a second; the rest is a margin for a busy machine. */
const aboutASecond = 1400;
const recovery = { timeout: 15_000, interval: 100 } as const;

async function timed(work: Promise<unknown>): Promise<{ ms: number; failed: boolean }> {
  const start = performance.now();
  const failed = await work.then(
    () => false,
    () => true,
  );
  return { ms: performance.now() - start, failed };
}

describe.each(backends)('queue on $name during backend faults', suiteOptions, ({ open }) => {
  let backend: TestBackend;
  let producer: Producer;
  let consumers: TestConsumer[];
  let relays: Relay[];

  beforeEach(async () => {
    backend = await open();
    producer = openProducer(backend.config);
    consumers = [];
    relays = [];
  });
  afterEach(async () => {
    await Promise.all([
      ...consumers.map(({ consumer }) => consumer.close({ timeoutMs: 1000 })),
      ...relays.map((relay) => relay.close()),
      producer.close(),
    ]);
    await backend.close();
  });
  const consume = (run?: Parameters<typeof startTestConsumer>[1]): TestConsumer => {
    const consumer = startTestConsumer(backend.config, run);
    consumers.push(consumer);
    return consumer;
  };
  const relay = (onGap?: () => void): Relay => {
    const opened = openRelay(backend.config, onGap && { onGap });
    relays.push(opened);
    return opened;
  };
  const enqueuesUntilItWorks = (message = newMessage()): Promise<void> =>
    vi.waitFor(() => producer.enqueue([message]), recovery);

  describe.each([
    ['down', () => backend.network.cut()],
    ['unresponsive', async () => backend.network.freeze()],
  ])('when it is %s', (_state, breakBackend) => {
    it('enqueue, ping and the counts fail within a second, and work again afterwards', async () => {
      await producer.ping();
      await breakBackend();
      for (const call of [
        () => producer.enqueue([newMessage()]),
        () => producer.enqueue(newMessages(1000)),
        () => producer.ping(),
        () => producer.counts(),
        () => producer.workers(),
      ]) {
        const { ms, failed } = await timed(call());
        expect(failed).toBe(true);
        expect(ms).toBeLessThan(aboutASecond);
      }
      await backend.network.heal();
      const message = newMessage();
      const consumer = consume();
      await enqueuesUntilItWorks(message);
      await vi.waitFor(() => expect(consumer.runsOf(message.id)).toBe(1), recovery);
    });

    it('clients opened during the fault work once the backend is back', async () => {
      await producer.close();
      await breakBackend();
      producer = openProducer(backend.config);
      const consumer = consume();
      const publisher = relay();
      const { ms, failed } = await timed(producer.enqueue([newMessage()]));
      expect(failed).toBe(true);
      expect(ms).toBeLessThan(aboutASecond);
      await sleep(3000);
      await backend.network.heal();
      const message = newMessage();
      await enqueuesUntilItWorks(message);
      await vi.waitFor(() => expect(consumer.runsOf(message.id)).toBe(1), recovery);
      await vi.waitFor(() => publisher.publish('org.1.test', {}), recovery);
    });

    it('consumer, producer and relay close within their time limits', async () => {
      const consumer = consume((_message, signal) => sleep(60_000, undefined, { signal }));
      const topic = relay();
      await topic.subscribe('>', () => undefined);
      await producer.enqueue([newMessage()]);
      await consumer.waitForRuns(1);
      await breakBackend();
      const closings = await Promise.all([
        timed(consumer.consumer.close({ timeoutMs: 2000 })),
        timed(producer.close()),
        timed(topic.close()),
      ]);
      for (const { ms, failed } of closings) {
        expect(failed).toBe(false);
        expect(ms).toBeLessThan(4500);
      }
      await backend.network.heal();
    });

    it('a consumer in the middle of a run survives and continues by itself', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const consumer = consume(() => released);
      await producer.enqueue([newMessage()]);
      await consumer.waitForRuns(1);
      await breakBackend();
      await sleep(2000);
      release();
      await sleep(500);
      await backend.network.heal();
      const message = newMessage();
      await enqueuesUntilItWorks(message);
      await vi.waitFor(() => expect(consumer.runsOf(message.id)).toBeGreaterThan(0), recovery);
    });
  });

  it('messages whose enqueue failed while it was down are not enqueued later', async () => {
    await producer.ping();
    await backend.network.cut();
    for (const message of newMessages(20))
      expect((await timed(producer.enqueue([message]))).failed).toBe(true);
    await backend.network.heal();
    await enqueuesUntilItWorks();
    // One may have been in flight when the connection broke, and is sent again.
    expect((await producer.counts()).waiting).toBeLessThanOrEqual(2);
  });

  it('consumers and subscribers replace connections that die silently', async () => {
    const consumer = consume();
    const subscriber = relay();
    const received: unknown[] = [];
    await subscriber.subscribe('org.1.>', (message) => void received.push(message));
    await vi.waitFor(async () => expect(await producer.workers()).toBe(1), recovery);
    backend.network.dropSilently();
    const outside = openRelay(backend.direct);
    relays.push(outside);
    await producer.close();
    producer = openProducer(backend.direct);
    const bothReceive = async (round: number, timeout: number): Promise<void> => {
      await producer.enqueue([newMessage()]);
      await outside.publish('org.1.test', round);
      await vi.waitFor(() => expect([consumer.received.length, received.length]).toEqual([round, round]), {
        timeout,
      });
    };
    // Twice: the first wait may have begun before the connections died.
    await bothReceive(1, 20_000);
    await bothReceive(2, 20_000);
    // The dead sessions are replaced by now: messages arrive at once, not at the next poll.
    await sleep(6000);
    for (const round of [3, 4, 5]) await bothReceive(round, 1000);
  });

  it('losing connections repeatedly loses no message', async () => {
    const consumer = consume(() => sleep(5));
    const many = newMessages(200);
    const enqueuing = (async () => {
      for (const message of many) await vi.waitFor(() => producer.enqueue([message]), recovery);
    })();
    for (let round = 0; round < 5; round += 1) {
      await sleep(150);
      await backend.killConnections();
    }
    await enqueuing;
    await vi.waitFor(() => expect(many.filter(({ id }) => consumer.runsOf(id) === 0)).toEqual([]), {
      timeout: 30_000,
    });
  });

  it('losing connections while they open does not end the process', async () => {
    const done = new AbortController();
    const killer = (async () => {
      while (!done.signal.aborted) await backend.killConnections();
    })();
    const until = performance.now() + 4000;
    while (performance.now() < until) {
      const brief = openProducer(backend.config);
      const { ms } = await timed(brief.enqueue([newMessage()]));
      expect(ms).toBeLessThan(aboutASecond);
      await brief.close();
    }
    done.abort();
    await killer;
    await enqueuesUntilItWorks();
  });

  it('after losing all stored data, enqueuing the messages again runs them', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const consumer = consume(() => released);
    const running = newMessage();
    await producer.enqueue([running]);
    await consumer.waitForRuns(1);
    await backend.wipe();
    const message = newMessage();
    await producer.enqueue([running, message]);
    release();
    await vi.waitFor(() => {
      expect(consumer.runsOf(running.id)).toBe(2);
      expect(consumer.runsOf(message.id)).toBe(1);
    }, recovery);
  });

  it('a subscription made before the backend knows the process again succeeds once it does', async () => {
    const received: unknown[] = [];
    const subscriber = relay();
    await subscriber.subscribe('org.1.>', () => undefined);
    await backend.wipe();
    await subscriber.subscribe('org.2.>', (message) => void received.push(message));
    await relay().publish('org.2.test', 'message');
    await vi.waitFor(() => expect(received).toEqual(['message']), recovery);
  });

  it('the relay registers its subscribers again and reports a gap', async () => {
    const gaps = vi.fn<() => void>();
    const received: unknown[] = [];
    const subscriber = relay(gaps);
    await subscriber.subscribe('org.1.>', (message) => void received.push(message));
    const publisher = relay();
    await publisher.publish('org.1.test', 'before');
    await vi.waitFor(() => expect(received).toEqual(['before']), recovery);
    await backend.wipe();
    await vi.waitFor(() => expect(gaps).toHaveBeenCalled(), 6000);
    await publisher.publish('org.1.test', 'after');
    await vi.waitFor(() => expect(received).toEqual(['before', 'after']), recovery);
    await backend.killConnections();
    await vi.waitFor(async () => {
      await publisher.publish('org.1.test', 'reconnected');
      expect(received).toContain('reconnected');
    }, recovery);
  });
});
