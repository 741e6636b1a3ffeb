import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { Bell } from '../bell.ts';
import type { QueueConfig } from '../config.ts';
import { startConsumer, type Consumer } from '../consumer.ts';
import type { Run } from '../runner.ts';

export function aBell(): Bell {
  return { id: randomUUID(), kind: 'stix.parse', organizationId: randomUUID() };
}

export function bells(count: number): Bell[] {
  return Array.from({ length: count }, aBell);
}

/** A consumer that remembers what it heard. */
export interface Listener {
  consumer: Consumer;
  /** Ids in the order in which their runs began. */
  heard: string[];
  errors: Error[];
  warnings: string[];
  /** Waits until so many runs have begun. */
  hears(count: number, timeoutMs?: number): Promise<void>;
  times(id: string): number;
}

export function listen(config: QueueConfig, run: Run = async () => {}, concurrency = 4): Listener {
  const heard: string[] = [];
  const errors: Error[] = [];
  const warnings: string[] = [];
  const consumer = startConsumer(config, {
    concurrency,
    run(bell, signal) {
      heard.push(bell.id);
      return run(bell, signal);
    },
    onError: (error) => errors.push(error),
    log: { info: () => undefined, warn: (_fields, message) => warnings.push(message) },
  });
  return {
    consumer,
    heard,
    errors,
    warnings,
    async hears(count, timeoutMs = 10_000) {
      await vi.waitFor(
        () => {
          if (heard.length < count) throw new Error(`Heard ${heard.length} of ${count}`);
        },
        { timeout: timeoutMs, interval: 10 },
      );
    },
    times: (id) => heard.filter((other) => other === id).length,
  };
}

/** A run that lasts until the test says so. */
export function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
