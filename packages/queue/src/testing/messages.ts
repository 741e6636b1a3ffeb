import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { waitMs } from '@riskboard/testing';
import type { QueueMessage } from '../message.ts';
import type { QueueConfig } from '../config.ts';
import { startConsumer, type Consumer } from '../consumer.ts';
import type { Run } from '../runner.ts';

export function newMessage(): QueueMessage {
  return { id: randomUUID(), kind: 'stix.parse', organizationId: randomUUID() };
}

export function newMessages(count: number): QueueMessage[] {
  return Array.from({ length: count }, newMessage);
}

/** A consumer that records the messages that it runs. */
export interface TestConsumer {
  consumer: Consumer;
  /** Ids in the order in which their runs began. */
  received: string[];
  errors: Error[];
  warnings: string[];
  /** Waits until `count` runs have begun. */
  waitForRuns(count: number, timeoutMs?: number): Promise<void>;
  /** How often the message with this id has run. */
  runsOf(id: string): number;
}

export function startTestConsumer(
  config: QueueConfig,
  run: Run = async () => {},
  concurrency = 4,
): TestConsumer {
  const received: string[] = [];
  const errors: Error[] = [];
  const warnings: string[] = [];
  const consumer = startConsumer(config, {
    concurrency,
    run(message, signal) {
      received.push(message.id);
      return run(message, signal);
    },
    onError: (error) => errors.push(error),
    log: { info: () => undefined, warn: (_fields, message) => warnings.push(message) },
  });
  return {
    consumer,
    received,
    errors,
    warnings,
    async waitForRuns(count, timeoutMs = waitMs) {
      await vi.waitFor(
        () => {
          if (received.length < count) throw new Error(`Received ${received.length} of ${count} messages`);
        },
        { timeout: timeoutMs, interval: 10 },
      );
    },
    runsOf: (id) => received.filter((other) => other === id).length,
  };
}
