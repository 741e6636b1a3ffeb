import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProducer, type Producer } from './producer.ts';
import { RetryLater } from './runner.ts';
import { newMessage, newMessages, startTestConsumer } from './test/messages.ts';
import { backends, suiteOptions, type TestBackend } from './test/backends.ts';
import { kill, openProcessLog, type ProcessLog } from './test/processes.ts';

describe.each(backends)('consumers on $name during worker faults', suiteOptions, ({ open }) => {
  let backend: TestBackend;
  let producer: Producer;
  let log: ProcessLog;

  beforeEach(async () => {
    backend = await open();
    producer = openProducer(backend.config);
    log = await openProcessLog();
  });
  afterEach(async () => {
    await log.end();
    await producer.close();
    await backend.close();
  });
  const workersAre = (count: number, timeoutMs: number): Promise<void> =>
    vi.waitFor(async () => expect(await producer.workers()).toBe(count), { timeout: timeoutMs });

  it('another worker takes over the message of a killed one, which is no longer counted', async () => {
    const message = newMessage();
    const { lockMs, stallMs } = backend.config;
    const victim = log.start(backend.direct, 60_000);
    await log.waitFor('started', { by: victim });
    await producer.enqueue([message]);
    await log.waitFor('began', { by: victim });
    const successor = log.start(backend.direct, 10);
    await workersAre(2, 5000);
    await kill(victim);
    const killedAt = performance.now();
    await log.waitFor('ended', { by: successor, timeoutMs: lockMs + 3 * stallMs });
    process.stdout.write(`takeover after ${Math.round(performance.now() - killedAt)} ms\n`);
    await workersAre(1, 20_000);
    expect(await log.waitFor('warning', { by: successor })).toContain('stopped responding');
  });

  it('a message survives any number of killed workers', async () => {
    const message = newMessage();
    await producer.enqueue([message]);
    for (let round = 0; round < 3; round += 1) {
      const victim = log.start(backend.direct, 60_000);
      await log.waitFor('began', { by: victim, timeoutMs: 15_000 });
      await kill(victim);
    }
    const successor = log.start(backend.direct, 10);
    expect(await log.waitFor('ended', { by: successor, timeoutMs: 15_000 })).toContain(message.id);
  });

  it('a worker frozen for longer than its lock loses the message and works again when it wakes up', async () => {
    const message = newMessage();
    const frozen = log.start(backend.direct, 1000);
    await log.waitFor('started', { by: frozen });
    await producer.enqueue([message]);
    await log.waitFor('began', { by: frozen });
    frozen.kill('SIGSTOP');
    const successor = log.start(backend.direct, 10);
    await log.waitFor('ended', { by: successor, timeoutMs: 15_000 });
    frozen.kill('SIGCONT');
    await log.waitFor('ended', { by: frozen });
    await kill(successor);
    await producer.enqueue([message]);
    await vi.waitFor(
      async () =>
        expect((await log.lines()).filter((line) => line.startsWith(`${frozen.pid} ended`))).toHaveLength(2),
      { timeout: 15_000 },
    );
    expect(frozen.exitCode).toBeNull();
  });

  it('a frozen worker is not counted until it wakes up', async () => {
    const frozen = log.start(backend.direct, 10);
    await workersAre(1, 5000);
    frozen.kill('SIGSTOP');
    await workersAre(0, 20_000);
    frozen.kill('SIGCONT');
    await workersAre(1, 10_000);
    expect(frozen.exitCode).toBeNull();
  });

  it.each([-1, 1])(
    'a worker with a clock %d h off warns, and runs new and delayed messages',
    async (hours) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
      try {
        const worker = startTestConsumer(backend.config, () => {
          if (worker.received.length === 1) throw new RetryLater(300);
          return Promise.resolve();
        });
        await vi.waitFor(
          () => expect(worker.warnings).toEqual(["this machine's clock differs from the backend's"]),
          5000,
        );
        vi.useRealTimers();
        await producer.enqueue([newMessage()]);
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
        await worker.waitForRuns(2, 5000);
        await worker.consumer.close({ timeoutMs: 1000 });
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('SIGTERM lets the running message finish, leaves the waiting one in the queue, and exits with 0', async () => {
    const [running = newMessage(), waiting = newMessage()] = newMessages(2);
    const worker = log.start(backend.direct, 1500);
    await log.waitFor('started', { by: worker });
    await producer.enqueue([running, waiting]);
    await log.waitFor('began', { by: worker });
    const exited = once(worker, 'exit');
    worker.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(await log.waitFor('ended', { by: worker })).toContain(running.id);
    expect(await producer.counts()).toEqual({ waiting: 1, active: 0, delayed: 0 });
    const successor = log.start(backend.direct, 10);
    expect(await log.waitFor('ended', { by: successor })).toContain(waiting.id);
  });

  it('closing during a run that reacts to its signal passes the message to another worker at once', async () => {
    const message = newMessage();
    let reason: unknown;
    const closing = startTestConsumer(backend.config, async (_message, signal) => {
      await sleep(60_000, undefined, { signal }).catch(() => undefined);
      reason = signal.reason;
      signal.throwIfAborted();
    });
    await producer.enqueue([message]);
    await closing.waitForRuns(1);
    const start = performance.now();
    await closing.consumer.close({ timeoutMs: 1500 });
    expect(performance.now() - start).toBeLessThan(3500);
    expect(reason).toEqual(new Error('The worker is closing'));
    expect(closing.errors).toEqual([]);
    const successor = startTestConsumer(backend.config);
    await successor.waitForRuns(1, 1500);
    await successor.consumer.close({ timeoutMs: 1000 });
  });

  it('closing during a run that ignores its signal passes the message to another worker at once', async () => {
    const message = newMessage();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const ignoring = startTestConsumer(backend.config, () => released);
    await producer.enqueue([message]);
    await ignoring.waitForRuns(1);
    await ignoring.consumer.close({ timeoutMs: 1500 });
    const successor = startTestConsumer(backend.config);
    await successor.waitForRuns(1, 1500);
    release();
    await successor.consumer.close({ timeoutMs: 1000 });
    expect(await producer.counts()).toEqual({ waiting: 0, active: 0, delayed: 0 });
    expect(ignoring.errors).toEqual([]);
  });

  it('closing under load starts no further message, and loses or blocks none', async () => {
    const many = newMessages(400);
    await producer.enqueue(many);
    const first = startTestConsumer(backend.config, undefined, 8);
    await first.waitForRuns(50);
    const closed = first.consumer.close({ timeoutMs: 5000 });
    const started = first.received.length;
    await closed;
    expect(started).toBeLessThan(many.length);
    expect(first.received).toHaveLength(started);
    const second = startTestConsumer(backend.config, undefined, 8);
    // Sooner than a lock expires: no message may have to stall first.
    await second.waitForRuns(many.length - started, 2500);
    await second.consumer.close({ timeoutMs: 1000 });
    expect([...first.received, ...second.received].toSorted()).toEqual(many.map(({ id }) => id).toSorted());
  });
});
