import { randomBytes } from 'node:crypto';
import { organizationsChangedTopic } from '@riskboard/contract';
import { messageOf } from '@riskboard/db';
import { openProducer, openRelay, prepareQueue, type Producer, type Relay } from '@riskboard/queue';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cwssHarness } from '../../testing/cwss.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';
import { type RunningWorker, startWorker } from '../../worker.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let cwss: ReturnType<typeof cwssHarness>;
let producer: Producer;
let relay: Relay;
let workers: RunningWorker[];

beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  harness = await harnesses.open();
  cwss = cwssHarness(harness);
  const databaseUrl = harnesses.test.url;
  const queue = {
    databaseUrl,
    prefix: `test-${randomBytes(4).toString('hex')}`,
    lockMs: 3000,
    stallMs: 1000,
  };
  await prepareQueue(queue);
  producer = openProducer(queue);
  relay = openRelay(queue);
  const deps = { database: harnesses.database, producer, relay, log: pino({ level: 'silent' }) };
  workers = [1, 2].map(() => startWorker(deps, { queue, concurrency: 2, batchDays: 90, sweepMs: 1000 }));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close(5000)));
  await Promise.all([producer.close(), relay.close()]);
  await harnesses.close();
});

const ended = (jobIds: readonly string[]): Promise<void> =>
  vi.waitFor(
    async () => {
      for (const id of jobIds) expect(await harness.job(id)).toMatchObject({ state: 'succeeded' });
    },
    { interval: 50 },
  );

/** The versions of each vulnerability are 1, 2, 3 and so on, and its row shows the newest one. */
async function checkVersions(): Promise<void> {
  const scores = Map.groupBy(await cwss.scores(), (score) => score.vulnerability_id);
  for (const row of await cwss.rows()) {
    const own = scores.get(row.id) ?? [];
    expect(own.map(({ version }) => version)).toEqual(own.map((_score, n) => n + 1));
    const newest = own.at(-1);
    expect(row).toMatchObject({
      cwss_version: own.length,
      cwss_score: newest?.score,
      cwss_vignette_id: newest?.vignette_id,
      applied_vignette: newest?.vignette_name,
    });
  }
}

it('two workers with jobs of two vignettes, delivered twice, give linear versions and recalculate changes', async () => {
  const vignettes = [await cwss.vignette('Web shop', 7), await cwss.vignette('Bank', 9)];
  const ids = await cwss.vulnerabilities(200);
  const jobIds: string[] = [];
  for (let n = 0; n < 3; n += 1)
    for (const vignetteId of vignettes) {
      jobIds.push(await cwss.request({ vignetteId, filter: {} }));
      jobIds.push(await cwss.request({ vignetteId }, ids[n]));
    }
  const messages = (await Promise.all(jobIds.map((id) => harness.job(id)))).map(messageOf);
  await producer.enqueue(messages);
  await producer.enqueue(messages);
  await ended(jobIds);
  await checkVersions();
  expect((await cwss.rows()).every((row) => row.cwss_state === 'current')).toBe(true);

  // Nothing else notes this change: the announcement is the one of the api.
  await harness.inside((trx) =>
    sql`with switched as (update organization set auto_recalculate_cwss = true)
      update vulnerability set cwe = '{CWE-89}' where id <= ${ids[99]}`.execute(trx),
  );
  await relay.publish(organizationsChangedTopic, { organizationIds: [harness.organizationId] });
  await vi.waitFor(
    async () => expect((await cwss.rows()).every((row) => row.cwss_state === 'current')).toBe(true),
    { interval: 50 },
  );
  await checkVersions();
  expect((await cwss.scores()).filter(({ cause }) => cause === 'automatic')).toHaveLength(100);
}, 60_000);
