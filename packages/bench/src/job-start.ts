/**
 * From enqueuing a job to the first line of its handler, on an idle worker, beside BullMQ alone on the same backend: from
 * `add` to the first line of its processor. Both workers run in one process, and jobs of both are enqueued alternately.
 *
 *     pnpm bench job-start [--backend postgres|redis] [--jobs 60]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { insertJob, newId, openDatabase, withOrganization } from '@riskboard/db';
import { openProducer, prepareQueue, type QueueConfig } from '@riskboard/queue';
import { conditions } from './conditions.ts';
import { clock } from './events-messages.ts';
import { openPlainQueue } from './job-start-messages.ts';
import { type BenchDatabase, startBenchDatabase } from './product.ts';
import { startRedis } from './redis.ts';
import { percentile, shown, spread } from './statistics.ts';

const { values } = parseArgs({
  options: { backend: { type: 'string' }, jobs: { type: 'string', default: '60' } },
});
/** Issue 15, row 10. */
const bar = 2;
const rounds = 6;
const jobsOfRound = Math.ceil(Number(values.jobs) / rounds);
const pauseMs = 60;

/** When a job began, by `clock`. */
async function begun(worker: ChildProcess, id: string): Promise<number> {
  for (;;) {
    const [message] = (await once(worker, 'message', { signal: AbortSignal.timeout(20_000) })) as [
      { id: string; at: number },
    ];
    if (message.id === id) return message.at;
  }
}

async function runOn(name: string, database: BenchDatabase, redisUrl: string | undefined): Promise<boolean> {
  const queue: QueueConfig = {
    databaseUrl: database.databaseUrl,
    redisUrl,
    prefix: `bench-${name}`,
    lockMs: 30_000,
    stallMs: 5000,
  };
  await prepareQueue(queue);
  const worker = fork(
    path.join(import.meta.dirname, 'job-start-worker.ts'),
    [JSON.stringify({ queue, databaseUrl: database.databaseUrl })],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  await once(worker, 'message');
  const own = openDatabase({ url: database.databaseUrl, max: 2 });
  const organizationId = newId();
  await own.system
    .insertInto('organization')
    .values({ organization_id: organizationId, name: 'Bench' })
    .execute();
  const producer = openProducer(queue);
  const plain = openPlainQueue(queue);

  /** Two figures: from the insert of the row, and from its commit. */
  async function ours(): Promise<{ fromInsert: number; fromCommit: number }> {
    const id = newId();
    const start = begun(worker, id);
    const inserting = clock();
    const payload = { fileId: newId(), contentId: newId() };
    await withOrganization(own, organizationId, (trx) =>
      insertJob(trx, { id, organizationId, kind: 'stix.parse', payload, createdBy: null }),
    );
    const committed = clock();
    await producer.enqueue([{ id, kind: 'stix.parse', organizationId }]);
    const at = await start;
    return { fromInsert: at - inserting, fromCommit: at - committed };
  }

  async function alone(): Promise<number> {
    const id = randomUUID();
    const start = begun(worker, id);
    const adding = clock();
    await plain.add(id);
    return (await start) - adding;
  }

  const figures = {
    commit: [] as number[],
    insert: [] as number[],
    alone: [] as number[],
    p99: [] as number[],
  };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const one = { commit: [] as number[], insert: [] as number[], alone: [] as number[] };
      for (let job = 0; job < jobsOfRound; job += 1) {
        const { fromInsert, fromCommit } = await ours();
        one.insert.push(fromInsert);
        one.commit.push(fromCommit);
        await sleep(pauseMs);
        one.alone.push(await alone());
        await sleep(pauseMs);
      }
      // The first round warms up.
      if (round === 0) continue;
      for (const kind of ['commit', 'insert', 'alone'] as const)
        figures[kind].push(percentile(one[kind], 0.5));
      figures.p99.push(percentile(one.commit, 0.99));
    }
  } finally {
    worker.kill();
    await Promise.all([producer.close(), plain.close(), own.close()]);
  }
  const ratio = spread(figures.commit).median / spread(figures.alone).median;
  console.log(
    `${name}: p50 from the commit ${shown(spread(figures.commit), 2)} ms (p99 ${shown(spread(figures.p99), 1)}), from the insert of the row ${shown(spread(figures.insert), 2)}; BullMQ alone ${shown(spread(figures.alone), 2)}; ratio ${ratio.toFixed(2)} (limit ${bar})`,
  );
  return ratio <= bar;
}

console.log(`${conditions()}; medians of ${rounds} rounds of ${jobsOfRound} jobs, min / median / max`);
const database = await startBenchDatabase();
let isWithin = true;
try {
  if (values.backend !== 'redis') isWithin = await runOn('postgres', database, undefined);
  if (values.backend !== 'postgres') {
    const redis = await startRedis();
    if (redis === undefined) console.log('redis-server is not installed: Redis is left out');
    else
      try {
        isWithin = (await runOn('redis', database, redis.url)) && isWithin;
      } finally {
        await redis.stop();
      }
  }
} finally {
  await database.stop();
}
process.exitCode = isWithin ? 0 : 1;
