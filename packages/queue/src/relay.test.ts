import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRelay, type Relay } from './relay.ts';
import { backends, suiteOptions, type TestBackend } from './testing/backends.ts';
import { kill, startRelayProcess, type RelayProcess } from './testing/processes.ts';

describe.each(backends)('the relay on $name', suiteOptions, ({ open }) => {
  let backend: TestBackend;
  let relay: Relay;
  let other: RelayProcess | undefined;
  const errors: Error[] = [];

  beforeEach(async () => {
    backend = await open();
    errors.length = 0;
    relay = openRelay(backend.config, { onError: (error) => errors.push(error) });
  });
  afterEach(async () => {
    if (other) await kill(other.child);
    other = undefined;
    await relay.close();
    await backend.close();
  });

  it('carries messages between processes in both directions, in their order', async () => {
    const here: unknown[] = [];
    await relay.subscribe('org.b.>', (message) => void here.push(message));
    other = await startRelayProcess(backend.direct, 'org.a.>');
    const { reports, publish } = other;
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    for (const n of numbers) {
      await relay.publish('org.a.job', n);
      publish('org.b.job', n);
    }
    const receivedThere = (): unknown[] =>
      reports.filter(([kind]) => kind === 'received').map(([, , message]) => message);
    await vi.waitFor(() => expect([receivedThere(), here]).toEqual([numbers, numbers]));
  });

  it('delivers only matching topics: separate organizations, one segment, all segments', async () => {
    const received: Record<string, string[]> = { one: [], two: [], single: [], exact: [] };
    const note = (name: string) => (_message: unknown, topic: string) => void received[name]?.push(topic);
    await relay.subscribe('org.1.>', note('one'));
    await relay.subscribe('org.2.>', note('two'));
    await relay.subscribe('org.1.*', note('single'));
    await relay.subscribe('org.1.job.updated', note('exact'));
    for (const topic of ['org.1.job', 'org.1.job.updated', 'org.2.job', 'org.11.job', 'system.org.1.job']) {
      await relay.publish(topic, {});
    }
    await vi.waitFor(() => expect(received.two).toEqual(['org.2.job']));
    await sleep(200);
    expect(received).toEqual({
      one: ['org.1.job', 'org.1.job.updated'],
      two: ['org.2.job'],
      single: ['org.1.job'],
      exact: ['org.1.job.updated'],
    });
  });

  it.each([0, 7999, 8001, 100_000])('carries a message of %d characters unchanged', async (size) => {
    const received: unknown[] = [];
    await relay.subscribe('org.1.>', (message) => void received.push(message));
    const message = { text: 'ä"\n'.repeat(size / 3), list: [1, null, true] };
    await relay.publish('org.1.big', message);
    await vi.waitFor(() => expect(received).toEqual([message]));
  });

  it('refuses a message of more than half a megabyte, an invalid topic and an invalid pattern', async () => {
    await expect(relay.publish('org.1.huge', 'x'.repeat(600_000))).rejects.toThrow(/too large/i);
    await expect(relay.publish('org.1.*', {})).rejects.toThrow(/topic/i);
    await expect(relay.publish('org 1', {})).rejects.toThrow(/topic/i);
    await expect(relay.subscribe('org.>.x', () => undefined)).rejects.toThrow(/pattern/i);
  });

  it('keeps the order of one publisher, whether calls are awaited or not', async () => {
    const received: unknown[] = [];
    await relay.subscribe('org.1.>', (message) => void received.push(message));
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    await Promise.all(numbers.map((number) => relay.publish(`org.1.topic-${number % 7}`, number)));
    await vi.waitFor(() => expect(received).toHaveLength(numbers.length));
    expect(received).toEqual(numbers);
  });

  it('delivers messages from when subscribe resolves until the subscription ends', async () => {
    const received: unknown[] = [];
    const publisher = openRelay(backend.config);
    for (let round = 0; round < 20; round += 1) {
      const end = await relay.subscribe(`org.${round}.>`, (message) => void received.push(message));
      await publisher.publish(`org.${round}.now`, round);
      await vi.waitFor(() => expect(received).toContain(round));
      await end();
      await publisher.publish(`org.${round}.now`, 'after the end');
    }
    await sleep(200);
    expect(received).toHaveLength(20);
    await publisher.close();
  });

  it('a handler that throws or rejects does not affect other handlers', async () => {
    const received: unknown[] = [];
    await relay.subscribe('org.1.>', () => {
      throw new Error('thrown');
    });
    await relay.subscribe('org.1.>', () => Promise.reject(new Error('rejected')));
    await relay.subscribe('org.1.>', (message) => void received.push(message));
    await relay.publish('org.1.a', 1);
    await relay.publish('org.1.a', 2);
    await vi.waitFor(() => expect(received).toEqual([1, 2]));
    expect(errors.map(({ message }) => message).toSorted()).toEqual(['rejected', 'thrown']);
  });

  it('a killed subscriber does not affect the others', async () => {
    const received: unknown[] = [];
    await relay.subscribe('org.1.>', (message) => void received.push(message));
    other = await startRelayProcess(backend.direct, 'org.1.>');
    await kill(other.child);
    for (let number = 0; number < 10; number += 1) await relay.publish('org.1.a', number);
    await vi.waitFor(() => expect(received).toHaveLength(10));
  });
});
