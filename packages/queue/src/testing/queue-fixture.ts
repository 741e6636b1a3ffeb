import { test, vi } from 'vitest';
import type { QueueConfig } from '../config.ts';
import type { OutgoingMessage } from '../message.ts';
import { openProducer, type Producer } from '../producer.ts';
import { openRelay, type Relay } from '../relay.ts';
import type { TestBackend } from './backends.ts';
import { startTestConsumer, type TestConsumer } from './messages.ts';
import { openProcessLog, type ProcessLog } from './processes.ts';

/** Time for a client to work again after a fault. */
export const recovery = { timeout: 30_000, interval: 100 } as const;

/** A backend of one test and what the test opens on it; closed when the test ends. */
export interface TestQueue {
  backend: TestBackend;
  /** Replaceable: a test may close it and open another. */
  producer: Producer;
  /** Events of worker processes. */
  log: ProcessLog;
  consume(run?: Parameters<typeof startTestConsumer>[1]): TestConsumer;
  relay(options?: { config?: QueueConfig; onGap?: () => void }): Relay;
  /** Repeated while it fails: during a fault, or on a busy machine, an attempt exceeds its deadline of a second. */
  enqueue(messages: readonly OutgoingMessage[]): Promise<void>;
}

async function openTestQueue(open: () => Promise<TestBackend>): Promise<TestQueue & AsyncDisposable> {
  const backend = await open();
  const log = await openProcessLog();
  const consumers: TestConsumer[] = [];
  const relays: Relay[] = [];
  const queue = {
    backend,
    log,
    producer: openProducer(backend.config),
    consume(run?: Parameters<typeof startTestConsumer>[1]) {
      const consumer = startTestConsumer(backend.config, run);
      consumers.push(consumer);
      return consumer;
    },
    relay({ config = backend.config, onGap }: { config?: QueueConfig; onGap?: () => void } = {}) {
      const opened = openRelay(config, onGap && { onGap });
      relays.push(opened);
      return opened;
    },
    enqueue: (messages: readonly OutgoingMessage[]) =>
      vi.waitFor(() => queue.producer.enqueue(messages), recovery),
    async [Symbol.asyncDispose]() {
      await log.end();
      await Promise.all([
        ...consumers.map(({ consumer }) => consumer.close({ timeoutMs: 1000 })),
        ...relays.map((relay) => relay.close()),
        queue.producer.close(),
      ]);
      await backend.close();
    },
  };
  return queue;
}

/** `it` with a `queue` of its own for each test, so that tests that mostly wait can run at the same time. */
export const itWithQueue = (open: () => Promise<TestBackend>) =>
  test.extend<{ queue: TestQueue }>({
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of the fixtures that a fixture uses.
    queue: async ({}, use) => {
      await using queue = await openTestQueue(open);
      await use(queue);
    },
  });
