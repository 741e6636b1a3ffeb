/**
 * Events from a worker to browsers on two api processes, beside a plain `ws` server in two processes that receives them
 * from the same relay. Browsers are in a process of their own, the same for both. Events of both are sent alternately.
 *
 *     pnpm bench events [--backend postgres|redis] [--clients 1000] [--burst 100000] [--sizes 1,10,100,1000]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventTopic } from '@riskboard/contract';
import { openRelay, type QueueConfig, type Relay } from '@riskboard/queue';
import { conditions } from './conditions.ts';
import { clock, progressEvent, type Request, type Side } from './events-messages.ts';
import { type GrowthCase, growthOf, growthPlot } from './growth.ts';
import { type Product, startProduct } from './product.ts';
import { startRedis } from './redis.ts';
import { percentile, shown, spread } from './statistics.ts';

const { values } = parseArgs({
  options: {
    backend: { type: 'string' },
    clients: { type: 'string', default: '1000' },
    burst: { type: 'string', default: '100000' },
    sizes: { type: 'string' },
  },
});
const mostClients = Number(values.clients);
const burstEvents = Number(values.burst);

/** Issue 15, row 9. */
const bars = { ratio: 1.5, reconnectMs: 3000, memory: 40 };
const sizes = (values.sizes?.split(',').map(Number) ?? [1, 10, 100, 1000])
  .filter((size) => size < mostClients)
  .concat(mostClients);
const rounds = 6;
const eventsOfRound = 10;
const pauseMs = 40;
const reconnects = Math.min(500, mostClients);
const burstJobs = 500;
/** A worker publishes the progress of its jobs one after the other, and waits for each: as many jobs run at once. */
const burstAtOnce = 10;
const people = 60;

const start = (name: string, args: string[] = []): ChildProcess =>
  fork(path.join(import.meta.dirname, `${name}.ts`), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

async function ask<T>(child: ChildProcess, request: Request): Promise<T> {
  child.send(request);
  const [reply] = (await once(child, 'message')) as [{ answer: T; error?: string }];
  if (reply.error !== undefined) throw new Error(reply.error);
  return reply.answer;
}

/** Members with API tokens: each person may have 20 sockets in a process. */
async function addPeople({ admin }: Product, organizationId: string): Promise<string[]> {
  await admin.query('insert into organization (organization_id) values ($1)', [organizationId]);
  const tokens: string[] = [];
  while (tokens.length < people) {
    const [id, token] = [randomUUID(), `rb_${randomBytes(32).toString('base64url')}`];
    await admin.query(
      `insert into account (id, email, password_hash, first_name) values ($1, $2, '', 'Bench')`,
      [id, `${id}@example.org`],
    );
    await admin.query(
      `insert into membership (organization_id, account_id, role) values ($1, $2, 'viewer')`,
      [organizationId, id],
    );
    await admin.query(
      `insert into api_token (organization_id, id, account_id, name, role, token_hash, hint, expires_at)
       values ($1, $2, $2, 'bench', 'viewer', $3, '', now() + interval '1 day')`,
      [organizationId, id, createHash('sha256').update(token).digest()],
    );
    tokens.push(token);
  }
  return tokens;
}

/** Resident memory of the api processes, in MiB. */
const memoryOf = ({ apis }: Product): number =>
  apis.reduce((sum, pid) => {
    const line = /VmRSS:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return sum + Number(line?.[1] ?? 0) / 1024;
  }, 0);

interface Stage {
  product: Product;
  relay: Relay;
  clients: ChildProcess;
  organizations: Record<Side, string>;
}

/** The 50th and 99th percentiles of each round, in milliseconds. */
async function measure({
  relay,
  clients,
  organizations,
}: Stage): Promise<Record<Side, { p50: number[]; p99: number[] }>> {
  const figures: Record<Side, { p50: number[]; p99: number[] }> = {
    product: { p50: [], p99: [] },
    floor: { p50: [], p99: [] },
  };
  let version = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (let event = 0; event < eventsOfRound; event += 1)
      for (const side of event % 2 ? (['product', 'floor'] as const) : (['floor', 'product'] as const)) {
        version += 1;
        await relay.publish(eventTopic(organizations[side]), progressEvent(randomUUID(), version));
        await sleep(pauseMs);
      }
    await sleep(200);
    for (const side of ['product', 'floor'] as const) {
      const latencies = await ask<number[]>(clients, { type: 'report', side });
      // The first round warms up.
      if (round === 0) continue;
      figures[side].p50.push(percentile(latencies, 0.5));
      figures[side].p99.push(percentile(latencies, 0.99));
    }
  }
  return figures;
}

/** Publishes the burst and waits until every client has the last state of every job. @returns false when one was closed */
async function burst({ product, relay, clients, organizations }: Stage): Promise<boolean> {
  const ids = Array.from({ length: burstJobs }, () => randomUUID());
  const topic = eventTopic(organizations.product);
  const last = Math.floor(burstEvents / burstJobs);
  const began = clock();
  let next = 0;
  let repeated = 0;
  async function publish(): Promise<void> {
    while (next < last * burstJobs) {
      const event = next;
      next += 1;
      const message = progressEvent(ids[event % burstJobs] ?? '', Math.floor(event / burstJobs) + 1_000_001);
      await relay.publish(topic, message).catch(async () => {
        repeated += 1;
        await relay.publish(topic, message);
      });
    }
  }
  await Promise.all(Array.from({ length: burstAtOnce }, publish));
  const published = clock() - began;
  for (;;) {
    const { jobs, closed } = await ask<{ jobs: number; closed: number }>(clients, {
      type: 'state',
      version: 1_000_000 + last,
    });
    const waited = clock() - began - published;
    if (jobs < burstJobs && closed === 0 && waited < 30_000) {
      await sleep(50);
      continue;
    }
    console.log(
      `burst of ${last * burstJobs} events of ${burstJobs} jobs: published in ${(published / 1000).toFixed(1)} s, ${repeated} twice; ${closed} clients closed; each client has the last state of ${jobs} of ${burstJobs} jobs ${(waited / 1000).toFixed(1)} s later; api processes ${memoryOf(product).toFixed(0)} MiB`,
    );
    return closed === 0 && jobs === burstJobs;
  }
}

async function runOn(
  backend: string,
  redisUrl: string | undefined,
): Promise<{ ok: boolean; cases: GrowthCase[] }> {
  const product = await startProduct(redisUrl ? { REDIS_URL: redisUrl } : {}, { apis: 2 });
  const queue: QueueConfig = { databaseUrl: product.databaseUrl, redisUrl, lockMs: 30_000, stallMs: 5000 };
  const organizations = { product: randomUUID(), floor: randomUUID() };
  const relay = openRelay(queue);
  const floors = [0, 1].map(() =>
    start('events-floor', [JSON.stringify({ queue, organizationId: organizations.floor })]),
  );
  const clients = start('events-clients');
  try {
    const started = once(clients, 'message');
    const ports = await Promise.all(
      floors.map(async (floor) => ((await once(floor, 'message')) as [number])[0]),
    );
    await started;
    const tokens = await addPeople(product, organizations.product);
    const stage: Stage = { product, relay, clients, organizations };
    const addresses = {
      product: product.origins.map((origin) => `${origin.replace('http', 'ws')}/api/events`),
      floor: ports.map((port) => `ws://127.0.0.1:${port}`),
    };
    const before = memoryOf(product);
    const growth: Record<Side, Map<number, number[]>> = { product: new Map(), floor: new Map() };
    let ratio = Infinity;
    for (const size of sizes) {
      for (const side of ['product', 'floor'] as const)
        await ask(clients, {
          type: 'open',
          side,
          count: size,
          addresses: addresses[side],
          tokens: side === 'product' ? tokens : [''],
        });
      const { product: ours, floor } = await measure(stage);
      growth.product.set(size, ours.p50);
      growth.floor.set(size, floor.p50);
      ratio = spread(ours.p99).median / spread(floor.p99).median;
      console.log(
        `${String(size).padStart(5)} clients: p50 ${shown(spread(ours.p50), 1)} ms, p99 ${shown(spread(ours.p99), 1)} ms; plain ws p50 ${shown(spread(floor.p50), 1)}, p99 ${shown(spread(floor.p99), 1)}; p99 x ${ratio.toFixed(2)}`,
      );
    }
    const connected = memoryOf(product);
    const isComplete = await burst(stage);
    const milliseconds = await ask<number>(clients, { type: 'reconnect', count: reconnects });
    console.log(
      `${reconnects} reconnects at once: all have their snapshot after ${(milliseconds / 1000).toFixed(2)} s`,
    );
    const peak = memoryOf(product);
    await sleep(20_000);
    const after = memoryOf(product);
    console.log(
      `api processes together: ${before.toFixed(0)} MiB before, ${connected.toFixed(0)} with ${mostClients} clients, ${peak.toFixed(0)} after burst and reconnects, ${after.toFixed(0)} after 20 s more`,
    );
    const cases = (['product', 'floor'] as const).map((side) => ({
      name: `${side === 'product' ? 'Riskboard' : 'plain ws'}, ${backend}`,
      figures: growth[side],
    }));
    const ok =
      ratio <= bars.ratio &&
      isComplete &&
      milliseconds <= bars.reconnectMs &&
      after - connected <= bars.memory;
    return { ok, cases };
  } finally {
    for (const child of [clients, ...floors]) child.kill();
    await relay.close();
    await product.stop();
  }
}

console.log(conditions());
const cases: GrowthCase[] = [];
let isWithin = true;
for (const backend of ['postgres', 'redis']) {
  if (values.backend !== undefined && values.backend !== backend) continue;
  const redis = backend === 'redis' ? await startRedis() : undefined;
  if (backend === 'redis' && redis === undefined) {
    console.log('redis-server is not installed: Redis is left out');
    continue;
  }
  console.log(`\n${backend}`);
  try {
    const result = await runOn(backend, redis?.url);
    isWithin &&= result.ok;
    cases.push(...result.cases);
  } finally {
    await redis?.stop();
  }
}
if (sizes.length > 1) {
  const floor = cases.flatMap(({ figures }) => [...figures.values()].flat());
  const rows = cases.map((one) => growthOf(one, floor));
  const file = path.resolve(import.meta.dirname, '../../../docs/plots/event-growth.svg');
  writeFileSync(
    file,
    growthPlot(
      { title: 'From publishing an event to the median browser', sizes: 'clients on two api processes' },
      rows,
    ),
  );
}
console.log(
  `limits: p99 ${bars.ratio} x plain ws at ${mostClients} clients, no client closed, reconnects ${bars.reconnectMs / 1000} s, memory back to within ${bars.memory} MiB: ${isWithin ? 'met' : 'missed'}`,
);
process.exitCode = isWithin ? 0 : 1;
