import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProducer, type Producer } from './producer.ts';
import { openRelay, type Relay } from './relay.ts';
import { aBell, bells, gate, listen, type Listener } from './test/bells.ts';
import { backends, suiteOptions, type TestBackend } from './test/backends.ts';

/** The promise is about a second; the rest is for a machine that does other things too. */
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

describe.each(backends)('a backend in trouble: $name', suiteOptions, ({ open }) => {
  let backend: TestBackend;
  let producer: Producer;
  let listeners: Listener[];
  let relays: Relay[];

  beforeEach(async () => {
    backend = await open();
    producer = openProducer(backend.config);
    listeners = [];
    relays = [];
  });
  afterEach(async () => {
    await Promise.all([
      ...listeners.map(({ consumer }) => consumer.close({ timeoutMs: 1000 })),
      ...relays.map((relay) => relay.close()),
      producer.close(),
    ]);
    await backend.close();
  });
  const hear = (run?: Parameters<typeof listen>[1]): Listener => {
    const listener = listen(backend.config, run);
    listeners.push(listener);
    return listener;
  };
  const relay = (onGap?: () => void): Relay => {
    const opened = openRelay(backend.config, onGap && { onGap });
    relays.push(opened);
    return opened;
  };
  const ringsUntilItWorks = (bell = aBell()): Promise<void> =>
    vi.waitFor(() => producer.ring([bell]), recovery);

  describe.each([
    ['down', () => backend.network.cut()],
    ['silent', async () => backend.network.freeze()],
  ])('when it is %s', (_state, spoil) => {
    it('a ring fails within a second, ping and the counts too, and all work again afterwards', async () => {
      await producer.ping();
      await spoil();
      for (const call of [
        () => producer.ring([aBell()]),
        () => producer.ring(bells(1000)),
        () => producer.ping(),
        () => producer.counts(),
        () => producer.workers(),
      ]) {
        const { ms, failed } = await timed(call());
        expect(failed).toBe(true);
        expect(ms).toBeLessThan(aboutASecond);
      }
      await backend.network.heal();
      const bell = aBell();
      const listener = hear();
      await ringsUntilItWorks(bell);
      await vi.waitFor(() => expect(listener.times(bell.id)).toBe(1), recovery);
    });

    it('everything started before it works once it is there', async () => {
      await producer.close();
      await spoil();
      producer = openProducer(backend.config);
      const listener = hear();
      const gate = relay();
      const { ms, failed } = await timed(producer.ring([aBell()]));
      expect(failed).toBe(true);
      expect(ms).toBeLessThan(aboutASecond);
      await sleep(3000);
      await backend.network.heal();
      const bell = aBell();
      await ringsUntilItWorks(bell);
      await vi.waitFor(() => expect(listener.times(bell.id)).toBe(1), recovery);
      await vi.waitFor(() => gate.publish('org.1.test', {}), recovery);
    });

    it('closing takes no longer than it may', async () => {
      const listener = hear((_bell, signal) => sleep(60_000, undefined, { signal }));
      const topic = relay();
      await topic.subscribe('>', () => undefined);
      await producer.ring([aBell()]);
      await listener.hears(1);
      await spoil();
      const closings = await Promise.all([
        timed(listener.consumer.close({ timeoutMs: 2000 })),
        timed(producer.close()),
        timed(topic.close()),
      ]);
      for (const { ms, failed } of closings) {
        expect(failed).toBe(false);
        expect(ms).toBeLessThan(4500);
      }
      await backend.network.heal();
    });

    it('a consumer in the middle of a run survives it and goes on by itself', async () => {
      const { opened, open: finish } = gate();
      const listener = hear(() => opened);
      await producer.ring([aBell()]);
      await listener.hears(1);
      await spoil();
      await sleep(2000);
      finish();
      await sleep(500);
      await backend.network.heal();
      const bell = aBell();
      await ringsUntilItWorks(bell);
      await vi.waitFor(() => expect(listener.times(bell.id)).toBeGreaterThan(0), recovery);
    });
  });

  it('rings that failed while it was down do not pile up for later', async () => {
    await producer.ping();
    await backend.network.cut();
    for (const bell of bells(20)) expect((await timed(producer.ring([bell]))).failed).toBe(true);
    await backend.network.heal();
    await ringsUntilItWorks();
    // One may have been on its way when the connection broke, and is sent again.
    expect((await producer.counts()).waiting).toBeLessThanOrEqual(2);
  });

  it('connections that die without a word leave nobody deaf', async () => {
    const listener = hear();
    const subscriber = relay();
    const heard: unknown[] = [];
    await subscriber.subscribe('org.1.>', (message) => void heard.push(message));
    await vi.waitFor(async () => expect(await producer.workers()).toBe(1), recovery);
    backend.network.forget();
    const outside = openRelay(backend.direct);
    relays.push(outside);
    await producer.close();
    producer = openProducer(backend.direct);
    const bothHear = async (round: number, timeout: number): Promise<void> => {
      await producer.ring([aBell()]);
      await outside.publish('org.1.test', round);
      await vi.waitFor(() => expect([listener.heard.length, heard.length]).toEqual([round, round]), {
        timeout,
      });
    };
    // Twice: the first wait may have begun before the silence.
    await bothHear(1, 20_000);
    await bothHear(2, 20_000);
    // By now the dead sessions are replaced: what comes is heard of at once, not found by looking.
    await sleep(6000);
    for (const round of [3, 4, 5]) await bothHear(round, 1000);
  });

  it('losing its connections again and again costs no bell', async () => {
    const listener = hear(() => sleep(5));
    const many = bells(200);
    const ringing = (async () => {
      for (const bell of many) await vi.waitFor(() => producer.ring([bell]), recovery);
    })();
    for (let round = 0; round < 5; round += 1) {
      await sleep(150);
      await backend.killConnections();
    }
    await ringing;
    await vi.waitFor(() => expect(many.filter(({ id }) => listener.times(id) === 0)).toEqual([]), {
      timeout: 30_000,
    });
  });

  it('losing its connections while they are being opened ends nobody', async () => {
    const done = new AbortController();
    const killer = (async () => {
      while (!done.signal.aborted) await backend.killConnections();
    })();
    const until = performance.now() + 4000;
    while (performance.now() < until) {
      const brief = openProducer(backend.config);
      const { ms } = await timed(brief.ring([aBell()]));
      expect(ms).toBeLessThan(aboutASecond);
      await brief.close();
    }
    done.abort();
    await killer;
    await ringsUntilItWorks();
  });

  it('losing all it has stored costs only what the sweep rings again', async () => {
    const { opened, open: finish } = gate();
    const listener = hear(() => opened);
    const running = aBell();
    await producer.ring([running]);
    await listener.hears(1);
    await backend.wipe();
    const bell = aBell();
    await producer.ring([running, bell]);
    finish();
    await vi.waitFor(() => {
      expect(listener.times(running.id)).toBe(2);
      expect(listener.times(bell.id)).toBe(1);
    }, recovery);
  });

  it('a subscription asked for while the backend does not know the process comes about once it does', async () => {
    const heard: unknown[] = [];
    const subscriber = relay();
    await subscriber.subscribe('org.1.>', () => undefined);
    await backend.wipe();
    await subscriber.subscribe('org.2.>', (message) => void heard.push(message));
    await relay().publish('org.2.test', 'heard');
    await vi.waitFor(() => expect(heard).toEqual(['heard']), recovery);
  });

  it('the relay finds its subscribers again, and says that there was a gap', async () => {
    const gaps = vi.fn<() => void>();
    const heard: unknown[] = [];
    const subscriber = relay(gaps);
    await subscriber.subscribe('org.1.>', (message) => void heard.push(message));
    const publisher = relay();
    await publisher.publish('org.1.test', 'before');
    await vi.waitFor(() => expect(heard).toEqual(['before']), recovery);
    await backend.wipe();
    await vi.waitFor(() => expect(gaps).toHaveBeenCalled(), 6000);
    await publisher.publish('org.1.test', 'after');
    await vi.waitFor(() => expect(heard).toEqual(['before', 'after']), recovery);
    await backend.killConnections();
    await vi.waitFor(async () => {
      await publisher.publish('org.1.test', 'reconnected');
      expect(heard).toContain('reconnected');
    }, recovery);
  });
});
