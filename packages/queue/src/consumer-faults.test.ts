import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, vi } from 'vitest';
import type { Producer } from './producer.ts';
import { RetryLater } from './runner.ts';
import { backends, suiteOptions, type TestBackend } from './testing/backends.ts';
import { newMessage, newMessages, startTestConsumer } from './testing/messages.ts';
import { kill } from './testing/processes.ts';
import { itWithQueue } from './testing/queue-fixture.ts';

/** Longer than the test, so that another worker gets a message only when it is returned, not when its lock expires. */
const withLongLock = ({ config }: TestBackend) => ({ ...config, lockMs: 120_000 });

const workersAre = (producer: Producer, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await producer.workers()).toBe(count));

describe.each(backends)(
  'consumers on $name during worker faults',
  { ...suiteOptions, concurrent: true },
  ({ open }) => {
    const it = itWithQueue(open);

    it('another worker takes over the message of a killed one, which is no longer counted', async ({
      queue: { backend, enqueue, log, producer },
    }) => {
      const message = newMessage();
      const victim = log.start(backend.direct, 60_000);
      await log.waitFor('started', { by: victim });
      await enqueue([message]);
      await log.waitFor('began', { by: victim });
      const successor = log.start(backend.direct, 10);
      await workersAre(producer, 2);
      await kill(victim);
      const killedAt = performance.now();
      await log.waitFor('ended', { by: successor });
      process.stdout.write(`takeover after ${Math.round(performance.now() - killedAt)} ms\n`);
      await workersAre(producer, 1);
      expect(await log.waitFor('warning', { by: successor })).toContain('stopped responding');
    });

    it('a message survives any number of killed workers', async ({ queue: { backend, enqueue, log } }) => {
      const message = newMessage();
      await enqueue([message]);
      for (let round = 0; round < 3; round += 1) {
        const victim = log.start(backend.direct, 60_000);
        await log.waitFor('began', { by: victim });
        await kill(victim);
      }
      const successor = log.start(backend.direct, 10);
      expect(await log.waitFor('ended', { by: successor })).toContain(message.id);
    });

    it('a worker frozen for longer than its lock loses the message and works again when it wakes up', async ({
      queue: { backend, enqueue, log },
    }) => {
      const message = newMessage();
      const frozen = log.start(backend.direct, 1000);
      await log.waitFor('started', { by: frozen });
      await enqueue([message]);
      await log.waitFor('began', { by: frozen });
      frozen.kill('SIGSTOP');
      const successor = log.start(backend.direct, 10);
      await log.waitFor('ended', { by: successor });
      frozen.kill('SIGCONT');
      await log.waitFor('ended', { by: frozen });
      await kill(successor);
      await enqueue([message]);
      await vi.waitFor(async () =>
        expect((await log.lines()).filter((line) => line.startsWith(`${frozen.pid} ended`))).toHaveLength(2),
      );
      expect(frozen.exitCode).toBeNull();
    });

    it('a frozen worker is not counted until it wakes up', async ({ queue: { backend, log, producer } }) => {
      const frozen = log.start(backend.direct, 10);
      await workersAre(producer, 1);
      frozen.kill('SIGSTOP');
      await workersAre(producer, 0);
      frozen.kill('SIGCONT');
      await workersAre(producer, 1);
      expect(frozen.exitCode).toBeNull();
    });

    it('SIGTERM lets the running message finish, leaves the waiting one in the queue, and exits with 0', async ({
      queue: { backend, enqueue, log, producer },
    }) => {
      const [running = newMessage(), waiting = newMessage()] = newMessages(2);
      const worker = log.start(backend.direct, 1500);
      await log.waitFor('started', { by: worker });
      await enqueue([running, waiting]);
      await log.waitFor('began', { by: worker });
      const exited = once(worker, 'exit');
      worker.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(await log.waitFor('ended', { by: worker })).toContain(running.id);
      expect(await producer.counts()).toEqual({ waiting: 1, active: 0, delayed: 0 });
      const successor = log.start(backend.direct, 10);
      expect(await log.waitFor('ended', { by: successor })).toContain(waiting.id);
    });

    it('closing during a run that reacts to its signal passes the message to another worker at once', async ({
      queue: { backend, enqueue },
    }) => {
      const message = newMessage();
      let reason: unknown;
      const closing = startTestConsumer(withLongLock(backend), async (_message, signal) => {
        await sleep(60_000, undefined, { signal }).catch(() => undefined);
        reason = signal.reason;
        signal.throwIfAborted();
      });
      await enqueue([message]);
      await closing.waitForRuns(1);
      await closing.consumer.close({ timeoutMs: 1500 });
      expect(reason).toEqual(new Error('The worker is closing'));
      expect(closing.errors).toEqual([]);
      const successor = startTestConsumer(withLongLock(backend));
      await successor.waitForRuns(1);
      await successor.consumer.close({ timeoutMs: 1000 });
    });

    it('closing during a run that ignores its signal passes the message to another worker at once', async ({
      queue: { backend, enqueue, producer },
    }) => {
      const message = newMessage();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const ignoring = startTestConsumer(withLongLock(backend), () => released);
      await enqueue([message]);
      await ignoring.waitForRuns(1);
      await ignoring.consumer.close({ timeoutMs: 1500 });
      const successor = startTestConsumer(withLongLock(backend));
      await successor.waitForRuns(1);
      release();
      await successor.consumer.close({ timeoutMs: 1000 });
      expect(await producer.counts()).toEqual({ waiting: 0, active: 0, delayed: 0 });
      expect(ignoring.errors).toEqual([]);
    });

    it('closing under load starts no further message, and loses or blocks none', async ({
      queue: { backend, enqueue },
    }) => {
      const many = newMessages(400);
      await enqueue(many);
      const first = startTestConsumer(withLongLock(backend), undefined, 8);
      await first.waitForRuns(50);
      const closed = first.consumer.close({ timeoutMs: 5000 });
      const started = first.received.length;
      await closed;
      expect(started).toBeLessThan(many.length);
      expect(first.received).toHaveLength(started);
      const second = startTestConsumer(withLongLock(backend), undefined, 8);
      await second.waitForRuns(many.length - started);
      await second.consumer.close({ timeoutMs: 1000 });
      expect([...first.received, ...second.received].toSorted()).toEqual(many.map(({ id }) => id).toSorted());
    });
  },
);

// Not concurrent: the clock is the whole process's.
describe.each(backends)('consumers on $name on a machine with a wrong clock', suiteOptions, ({ open }) => {
  const it = itWithQueue(open);

  it.for([-1, 1])(
    'a worker with a clock %d h off warns, and runs new and delayed messages',
    async (hours, { queue: { backend, enqueue } }) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
      try {
        const worker = startTestConsumer(backend.config, () => {
          if (worker.received.length === 1) throw new RetryLater(300);
          return Promise.resolve();
        });
        await vi.waitFor(() =>
          expect(worker.warnings).toEqual(["this machine's clock differs from the backend's"]),
        );
        vi.useRealTimers();
        await enqueue([newMessage()]);
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
        await worker.waitForRuns(2);
        await worker.consumer.close({ timeoutMs: 1000 });
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('a message whose delay is over runs after a recovery when only a worker with a clock 1 h behind is left', async ({
    queue: { backend, enqueue, producer },
  }) => {
    await enqueue([{ ...newMessage(), delayMs: 100 }]);
    await sleep(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    try {
      const worker = startTestConsumer(backend.config);
      await sleep(500);
      expect(worker.received).toEqual([]);
      await producer.recover();
      await worker.waitForRuns(1);
      await worker.consumer.close({ timeoutMs: 1000 });
    } finally {
      vi.useRealTimers();
    }
  });
});
