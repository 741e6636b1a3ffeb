import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProducer, type Producer } from './producer.ts';
import { RetryLater } from './retry-later.ts';
import { aBell, bells, gate, listen } from './test/bells.ts';
import { backends, suiteOptions, type TestBackend } from './test/backends.ts';
import { kill, openDiary, type Diary } from './test/processes.ts';

describe.each(backends)('a worker in trouble on $name', suiteOptions, ({ open }) => {
  let backend: TestBackend;
  let producer: Producer;
  let diary: Diary;

  beforeEach(async () => {
    backend = await open();
    producer = openProducer(backend.config);
    diary = await openDiary();
  });
  afterEach(async () => {
    await diary.end();
    await producer.close();
    await backend.close();
  });
  const workersAre = (count: number, timeoutMs: number): Promise<void> =>
    vi.waitFor(async () => expect(await producer.workers()).toBe(count), { timeout: timeoutMs });

  it('killed with -9: another takes the bell over, and the dead one is not counted', async () => {
    const bell = aBell();
    const { lockMs, stallMs } = backend.config;
    const victim = diary.start(backend.direct, 60_000);
    await diary.says('started', { by: victim });
    await producer.ring([bell]);
    await diary.says('began', { by: victim });
    const heir = diary.start(backend.direct, 10);
    await workersAre(2, 5000);
    await kill(victim);
    const killedAt = performance.now();
    await diary.says('ended', { by: heir, timeoutMs: lockMs + 3 * stallMs });
    process.stdout.write(`takeover after ${Math.round(performance.now() - killedAt)} ms\n`);
    await workersAre(1, 20_000);
    expect(await diary.says('warning', { by: heir })).toContain('fell silent');
  });

  it('killed many times with the same bell: it is never given up', async () => {
    const bell = aBell();
    await producer.ring([bell]);
    for (let round = 0; round < 3; round += 1) {
      const victim = diary.start(backend.direct, 60_000);
      await diary.says('began', { by: victim, timeoutMs: 15_000 });
      await kill(victim);
    }
    const heir = diary.start(backend.direct, 10);
    expect(await diary.says('ended', { by: heir, timeoutMs: 15_000 })).toContain(bell.id);
  });

  it('frozen for longer than its lock: others go on, it wakes up alive and works again', async () => {
    const bell = aBell();
    const frozen = diary.start(backend.direct, 1000);
    await diary.says('started', { by: frozen });
    await producer.ring([bell]);
    await diary.says('began', { by: frozen });
    frozen.kill('SIGSTOP');
    const heir = diary.start(backend.direct, 10);
    await diary.says('ended', { by: heir, timeoutMs: 15_000 });
    frozen.kill('SIGCONT');
    await diary.says('ended', { by: frozen });
    await kill(heir);
    await producer.ring([bell]);
    await vi.waitFor(
      async () =>
        expect((await diary.lines()).filter((line) => line.startsWith(`${frozen.pid} ended`))).toHaveLength(
          2,
        ),
      { timeout: 15_000 },
    );
    expect(frozen.exitCode).toBeNull();
  });

  it('frozen: it is no longer counted', async () => {
    const frozen = diary.start(backend.direct, 10);
    await workersAre(1, 5000);
    frozen.kill('SIGSTOP');
    await workersAre(0, 20_000);
    frozen.kill('SIGCONT');
    await workersAre(1, 10_000);
    expect(frozen.exitCode).toBeNull();
  });

  it.each([-1, 1])(
    'with a clock %d h off: says so, runs what is rung and what it puts off',
    async (hours) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
      try {
        const worker = listen(backend.config, () => {
          if (worker.heard.length === 1) throw new RetryLater(300);
          return Promise.resolve();
        });
        await vi.waitFor(
          () => expect(worker.warnings).toEqual(["this machine's clock is not the backend's"]),
          5000,
        );
        vi.useRealTimers();
        await producer.ring([aBell()]);
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
        await worker.hears(2, 5000);
        await worker.consumer.close({ timeoutMs: 1000 });
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('SIGTERM: finishes what runs, leaves what waits, exits 0', async () => {
    const [running = aBell(), waiting = aBell()] = bells(2);
    const worker = diary.start(backend.direct, 1500);
    await diary.says('started', { by: worker });
    await producer.ring([running, waiting]);
    await diary.says('began', { by: worker });
    const exited = once(worker, 'exit');
    worker.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(await diary.says('ended', { by: worker })).toContain(running.id);
    expect(await producer.counts()).toEqual({ waiting: 1, active: 0, delayed: 0 });
    const heir = diary.start(backend.direct, 10);
    expect(await diary.says('ended', { by: heir })).toContain(waiting.id);
  });

  it('closing in the middle of a long run that listens: the bell goes to another at once', async () => {
    const bell = aBell();
    let told: unknown;
    const closing = listen(backend.config, async (_bell, signal) => {
      await sleep(60_000, undefined, { signal }).catch(() => undefined);
      told = signal.reason;
      signal.throwIfAborted();
    });
    await producer.ring([bell]);
    await closing.hears(1);
    const start = performance.now();
    await closing.consumer.close({ timeoutMs: 1500 });
    expect(performance.now() - start).toBeLessThan(3500);
    expect(told).toEqual(new Error('The worker is closing'));
    expect(closing.errors).toEqual([]);
    const heir = listen(backend.config);
    await heir.hears(1, 1500);
    await heir.consumer.close({ timeoutMs: 1000 });
  });

  it('closing in the middle of a run that does not listen: the bell goes to another at once', async () => {
    const bell = aBell();
    const { opened, open: finish } = gate();
    const deaf = listen(backend.config, () => opened);
    await producer.ring([bell]);
    await deaf.hears(1);
    await deaf.consumer.close({ timeoutMs: 1500 });
    const heir = listen(backend.config);
    await heir.hears(1, 1500);
    finish();
    await heir.consumer.close({ timeoutMs: 1000 });
    expect(await producer.counts()).toEqual({ waiting: 0, active: 0, delayed: 0 });
    expect(deaf.errors).toEqual([]);
  });

  it('closing while bells pour in: it begins none from then on, and none is lost or left hanging', async () => {
    const many = bells(400);
    await producer.ring(many);
    const first = listen(backend.config, undefined, 8);
    await first.hears(50);
    const closed = first.consumer.close({ timeoutMs: 5000 });
    const begun = first.heard.length;
    await closed;
    expect(begun).toBeLessThan(many.length);
    expect(first.heard).toHaveLength(begun);
    const second = listen(backend.config, undefined, 8);
    // Sooner than a lock runs out: nothing may have to stall first.
    await second.hears(many.length - begun, 2500);
    await second.consumer.close({ timeoutMs: 1000 });
    expect([...first.heard, ...second.heard].toSorted()).toEqual(many.map(({ id }) => id).toSorted());
  });
});
