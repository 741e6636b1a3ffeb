import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpProxy } from '@riskboard/testing';
import type { Program } from '../installation/program.ts';
import type { Entry } from './history.ts';
import { type Installation, isApiReady } from '../installation/installation.ts';

type Inject = (installation: Installation, random: () => number) => Promise<void>;

const one = <T>(random: () => number, list: readonly T[]): T => {
  const chosen = list[Math.floor(random() * list.length)];
  if (chosen === undefined) throw new Error('Nothing to choose from.');
  return chosen;
};

async function freeze(program: Program, milliseconds: number): Promise<void> {
  program.freeze();
  await sleep(milliseconds);
  program.resume();
}

const proxyFault =
  (connection: 'database' | 'redis', begin: (proxy: TcpProxy) => unknown, ms: number): Inject =>
  async ({ [connection]: proxy }, random) => {
    if (!proxy) return;
    await begin(proxy);
    await sleep(ms * (0.5 + random()));
    await proxy.restore();
  };

const restartRedis =
  (data: 'kept' | 'lost'): Inject =>
  async ({ redis }, random) => {
    await redis?.server.kill();
    await sleep(2000 * random());
    await redis?.server.start(data);
  };

/** Every fault. Those of Redis exist only on that backend. */
export const faults = {
  'worker killed': ({ workers }, random) => one(random, workers).restart(),
  'api killed': ({ apis }, random) => one(random, apis).restart(),
  // Longer than the lock of a message and the heartbeat of a job: another worker takes over.
  'worker frozen': ({ workers }, random) => freeze(one(random, workers), 3000 + 6000 * random()),
  'api frozen': ({ apis }, random) => freeze(one(random, apis), 1000 + 4000 * random()),
  'database stopped at once': ({ database }, random) => database.crash(1500 * random()),
  'database cut off': proxyFault('database', (proxy) => proxy.cut(), 2000),
  'database silent': proxyFault('database', (proxy) => proxy.freeze(), 3000),
  'database slow': proxyFault('database', (proxy) => proxy.delay(50), 3000),
  'Redis killed': restartRedis('kept'),
  'Redis emptied': restartRedis('lost'),
  'Redis cut off': proxyFault('redis', (proxy) => proxy.cut(), 2000),
  'Redis silent': proxyFault('redis', (proxy) => proxy.freeze(), 3000),
} as const satisfies Record<string, Inject>;

export type FaultKind = keyof typeof faults;

const readyWithinMs = 60_000;

/** @returns whether every api becomes ready in time */
export async function becomesReady({ origins }: Pick<Installation, 'origins'>): Promise<boolean> {
  const until = Date.now() + readyWithinMs;
  while (Date.now() < until) {
    const ready = await Promise.all(origins.map(isApiReady));
    if (!ready.includes(false)) return true;
    await sleep(50);
  }
  return false;
}

interface NemesisOptions {
  random: () => number;
  kinds: readonly FaultKind[];
  /** Mean pause between the recovery from one fault and the next, in milliseconds. */
  pauseMs: number;
  now(): number;
  write(entry: Entry): void;
  isOver(): boolean;
}

/** Injects one fault after another until the run is over, each after the recovery from the one before. */
export async function injectFaults(installation: Installation, options: NemesisOptions): Promise<void> {
  const { random, kinds, pauseMs, now, write, isOver } = options;
  for (;;) {
    await sleep(pauseMs * (0.5 + random()));
    if (isOver()) return;
    const kind = one(random, kinds);
    const at = now();
    await faults[kind](installation, random);
    const endedAt = now();
    const recoveredAt = (await becomesReady(installation)) ? now() : null;
    write({ type: 'fault', kind, at, endedAt, recoveredAt });
  }
}
