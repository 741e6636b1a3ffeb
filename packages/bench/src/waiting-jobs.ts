import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { availableMemory, provision, startCluster, tunedSettings } from '@riskboard/embedded';
import { openProducer, openRelay, prepareQueue, type Producer, type QueueConfig } from '@riskboard/queue';
import { Client } from 'pg';
import { conditions } from './conditions.ts';
import { costsOfEach, readCosts } from './server-costs.ts';
import { shown, spread } from './statistics.ts';

/**
 * Jobs that only wait 50 ms, taken from the queue on PostgreSQL by 1, 2 and 4 consumer processes that run one at a time:
 * what the queue itself lets through. The floor is one job in 50 ms for each process.
 */
const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '80' }, runs: { type: 'string', default: '5' } },
});
const jobs = Number(values.jobs);
const runs = Number(values.runs);
const waitMs = 50;
const counts = [1, 2, 4];
/** Issue 15, row 5: of the rate of one consumer. */
const bars = new Map([
  [2, 1.9],
  [4, 3.8],
]);

const owner = { name: 'riskboard', password: 'bench' };

async function startConsumers(config: QueueConfig, count: number): Promise<ChildProcess[]> {
  const file = path.join(import.meta.dirname, 'waiting-consumer.ts');
  const children = Array.from({ length: count }, () => fork(file, [JSON.stringify(config), String(waitMs)]));
  await Promise.all(children.map((child) => once(child, 'message')));
  return children;
}

/** Milliseconds for `jobs` jobs for each consumer, so that every run takes as long. */
async function measure(producer: Producer, config: QueueConfig, count: number): Promise<number> {
  const children = await startConsumers(config, count);
  while ((await producer.workers()) !== count) await sleep(20);
  const total = jobs * count;
  const ended = Array.from(children, () => 0);
  const done = new Promise<void>((resolve) => {
    for (const [n, child] of children.entries())
      child.on('message', (message: { ended?: number }) => {
        ended[n] = message.ended ?? 0;
        if (ended.reduce((sum, one) => sum + one, 0) === total) resolve();
      });
  });
  const started = performance.now();
  await producer.enqueue(
    Array.from({ length: total }, () => ({
      id: randomUUID(),
      kind: 'stix.parse',
      organizationId: randomUUID(),
    })),
  );
  await done;
  const ms = performance.now() - started;
  await Promise.all(
    children.map(async (child) => {
      child.disconnect();
      await once(child, 'exit');
    }),
  );
  while ((await producer.workers()) !== 0) await sleep(20);
  return (total / ms) * 1000;
}

/** Events of one publisher to one subscriber in the same process, and what each costs. */
async function costsOfEvents(config: QueueConfig, postmaster: number): Promise<string> {
  const events = 2000;
  const admin = new Client({ connectionString: config.databaseUrl });
  await admin.connect();
  const relay = openRelay(config);
  const received = { count: 0 };
  await relay.subscribe('bench.>', () => {
    received.count += 1;
  });
  const targets = { postmaster, processes: [process.pid] };
  const before = await readCosts(admin, targets);
  for (let n = 0; n < events; n += 1) await relay.publish('bench.event', { n, text: 'x'.repeat(500) });
  while (received.count < events) await sleep(5);
  const costs = costsOfEach(before, await readCosts(admin, targets), events);
  await relay.close();
  await admin.end();
  return costs;
}

console.log(conditions());
const home = await mkdtemp('/tmp/riskboard-bench-');
await chmod(home, 0o711);
const cluster = await startCluster({
  home,
  password: 'bench',
  settings: tunedSettings(await availableMemory()),
});
const rates = new Map<number, number[]>(counts.map((count) => [count, []]));
try {
  await provision(cluster.url({ name: 'postgres', password: 'bench' }, 'postgres'), owner, {
    database: 'riskboard',
  });
  const config = { databaseUrl: cluster.url(owner, 'riskboard'), lockMs: 10_000, stallMs: 5000 };
  await prepareQueue(config);
  const producer = openProducer(config);
  for (let run = 0; run < runs; run += 1)
    for (const count of counts) rates.get(count)?.push(await measure(producer, config, count));
  await producer.close();
  console.log(`an event with one subscriber: ${await costsOfEvents(config, cluster.pid)}`);
} finally {
  await cluster.stop();
  await rm(home, { recursive: true, force: true });
}
const of = (count: number) => spread(rates.get(count) ?? []);
console.log(
  `jobs of ${waitMs} ms, ${jobs} for each consumer, ${runs} runs, jobs a second, min / median / max`,
);
let isMet = true;
for (const count of counts) {
  const speedUp = of(count).median / of(1).median;
  const bar = bars.get(count);
  isMet &&= bar === undefined || speedUp >= bar;
  const limit = bar === undefined ? '' : `, ${speedUp.toFixed(2)} times one (at least ${bar})`;
  console.log(
    `  ${count} consumers  ${shown(of(count), 1)}, ${((of(count).median * waitMs) / 10 / count).toFixed(0)} % of the floor${limit}`,
  );
}
process.exitCode = isMet ? 0 : 1;
