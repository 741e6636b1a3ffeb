import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, vi } from 'vitest';
import { openProducer } from './producer.ts';
import { backends, suiteOptions, type TestBackend } from './testing/backends.ts';
import { newMessage, newMessages } from './testing/messages.ts';
import { itWithQueue, recovery } from './testing/queue-fixture.ts';

/** A call gives up after a second. The rest is a margin for a busy machine: this limit detects only a call that hangs. */
const hangMs = 15_000;

/** @returns whether the work failed by itself; throws when it hangs */
async function fails(work: Promise<unknown>): Promise<boolean> {
  const outcome = await Promise.race([
    work.then(
      () => 'succeeded' as const,
      () => 'failed' as const,
    ),
    sleep(hangMs, 'hung' as const, { ref: false }),
  ]);
  if (outcome === 'hung') throw new Error(`the call did not end within ${hangMs} ms`);
  return outcome === 'failed';
}

describe.each(backends)(
  'queue on $name during backend faults',
  { ...suiteOptions, concurrent: true },
  ({ open }) => {
    const it = itWithQueue(open);

    describe.each([
      ['down', ({ network }: TestBackend) => network.cut()],
      ['unresponsive', async ({ network }: TestBackend) => network.freeze()],
    ])('when it is %s', (_state, breakBackend) => {
      it('enqueue, ping and the counts fail instead of waiting for it, and work again afterwards', async ({
        queue,
      }) => {
        const { backend } = queue;
        await queue.producer.ping();
        await breakBackend(backend);
        for (const call of [
          () => queue.producer.enqueue([newMessage()]),
          () => queue.producer.enqueue(newMessages(1000)),
          () => queue.producer.ping(),
          () => queue.producer.counts(),
          () => queue.producer.workers(),
        ]) {
          expect(await fails(call())).toBe(true);
        }
        await backend.network.restore();
        const message = newMessage();
        const consumer = queue.consume();
        await queue.enqueue([message]);
        await vi.waitFor(() => expect(consumer.runsOf(message.id)).toBe(1), recovery);
      });

      it('clients opened during the fault work once the backend is back', async ({ queue }) => {
        const { backend } = queue;
        await queue.producer.close();
        await breakBackend(backend);
        queue.producer = openProducer(backend.config);
        const consumer = queue.consume();
        const publisher = queue.relay();
        expect(await fails(queue.producer.enqueue([newMessage()]))).toBe(true);
        await sleep(3000);
        await backend.network.restore();
        const message = newMessage();
        await queue.enqueue([message]);
        await vi.waitFor(() => expect(consumer.runsOf(message.id)).toBe(1), recovery);
        await vi.waitFor(() => publisher.publish('org.1.test', {}), recovery);
      });

      it('consumer, producer and relay close within their time limits', async ({ queue }) => {
        const { backend } = queue;
        const consumer = queue.consume((_message, signal) => sleep(60_000, undefined, { signal }));
        const topic = queue.relay();
        await topic.subscribe('>', () => undefined);
        await queue.enqueue([newMessage()]);
        await consumer.waitForRuns(1);
        await breakBackend(backend);
        const closings = await Promise.all([
          fails(consumer.consumer.close({ timeoutMs: 2000 })),
          fails(queue.producer.close()),
          fails(topic.close()),
        ]);
        expect(closings).toEqual([false, false, false]);
        await backend.network.restore();
      });

      it('a consumer in the middle of a run survives and continues by itself', async ({ queue }) => {
        const { backend } = queue;
        const { promise: released, resolve: release } = Promise.withResolvers<void>();
        const consumer = queue.consume(() => released);
        await queue.enqueue([newMessage()]);
        await consumer.waitForRuns(1);
        await breakBackend(backend);
        await sleep(2000);
        release();
        await sleep(500);
        await backend.network.restore();
        const message = newMessage();
        await queue.enqueue([message]);
        await vi.waitFor(() => expect(consumer.runsOf(message.id)).toBeGreaterThan(0), recovery);
      });
    });

    it('messages whose enqueue failed while it was down are not enqueued later', async ({ queue }) => {
      const { backend } = queue;
      await queue.producer.ping();
      await backend.network.cut();
      for (const message of newMessages(20))
        expect(await fails(queue.producer.enqueue([message]))).toBe(true);
      await backend.network.restore();
      await queue.enqueue([newMessage()]);
      // One may have been in flight when the connection broke, and is sent again.
      expect((await queue.producer.counts()).waiting).toBeLessThanOrEqual(2);
    });

    it('consumers and subscribers replace connections that die silently', async ({ queue }) => {
      const { backend } = queue;
      const consumer = queue.consume();
      const subscriber = queue.relay();
      const received: unknown[] = [];
      await subscriber.subscribe('org.1.>', (message) => void received.push(message));
      await vi.waitFor(async () => expect(await queue.producer.workers()).toBe(1), recovery);
      backend.network.dropSilently();
      const outside = queue.relay({ config: backend.direct });
      await queue.producer.close();
      queue.producer = openProducer(backend.direct);
      const bothReceive = async (round: number, timeout: number): Promise<void> => {
        await queue.enqueue([newMessage()]);
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

    it('losing connections repeatedly loses no message', async ({ queue }) => {
      const { backend } = queue;
      const consumer = queue.consume(() => sleep(5));
      const many = newMessages(200);
      const enqueuing = (async () => {
        for (const message of many) await queue.enqueue([message]);
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

    it('losing connections while they open does not end the process', async ({ queue }) => {
      const { backend } = queue;
      const done = new AbortController();
      const killer = (async () => {
        while (!done.signal.aborted) await backend.killConnections();
      })();
      const until = performance.now() + 4000;
      while (performance.now() < until) {
        const brief = openProducer(backend.config);
        // It fails or succeeds, but it ends.
        await expect(fails(brief.enqueue([newMessage()]))).resolves.toBeTypeOf('boolean');
        await brief.close();
      }
      done.abort();
      await killer;
      await queue.enqueue([newMessage()]);
    });

    it('after losing all stored data, enqueuing the messages again runs them', async ({ queue }) => {
      const { backend } = queue;
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const consumer = queue.consume(() => released);
      const running = newMessage();
      await queue.enqueue([running]);
      await consumer.waitForRuns(1);
      await backend.wipe();
      const message = newMessage();
      await queue.enqueue([running, message]);
      release();
      await vi.waitFor(() => {
        expect(consumer.runsOf(running.id)).toBe(2);
        expect(consumer.runsOf(message.id)).toBe(1);
      }, recovery);
    });

    it('a subscription made before the backend knows the process again succeeds once it does', async ({
      queue,
    }) => {
      const { backend } = queue;
      const received: unknown[] = [];
      const subscriber = queue.relay();
      await subscriber.subscribe('org.1.>', () => undefined);
      await backend.wipe();
      await subscriber.subscribe('org.2.>', (message) => void received.push(message));
      await queue.relay().publish('org.2.test', 'message');
      await vi.waitFor(() => expect(received).toEqual(['message']), recovery);
    });

    it('the relay registers its subscribers again and reports a gap', async ({ queue }) => {
      const { backend } = queue;
      const gaps = vi.fn<() => void>();
      const received: unknown[] = [];
      const subscriber = queue.relay({ onGap: gaps });
      await subscriber.subscribe('org.1.>', (message) => void received.push(message));
      const publisher = queue.relay();
      await publisher.publish('org.1.test', 'before');
      await vi.waitFor(() => expect(received).toEqual(['before']), recovery);
      await backend.wipe();
      await vi.waitFor(() => expect(gaps).toHaveBeenCalled());
      await publisher.publish('org.1.test', 'after');
      await vi.waitFor(() => expect(received).toEqual(['before', 'after']), recovery);
      await backend.killConnections();
      await vi.waitFor(async () => {
        await publisher.publish('org.1.test', 'reconnected');
        expect(received).toContain('reconnected');
      }, recovery);
    });
  },
);
