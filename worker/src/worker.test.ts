import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OrganizationEvent, organizationTopics } from '@riskboard/contract';
import { type JobRow, lockAssets, messageOf, type OrganizationTransaction } from '@riskboard/db';
import {
  openProducer,
  openRelay,
  prepareQueue,
  type Producer,
  type QueueConfig,
  type QueueMessage,
  type Relay,
} from '@riskboard/queue';
import { testRedisUrl, withClient } from '@riskboard/testing';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { alertHarness, webhookKey } from './testing/alerts.ts';
import { checkImportReport } from './testing/import-report.ts';
import { orphans, rowCounts } from './testing/snapshot.ts';
import { bundle, manyVulnerabilities, threat, vulnerability } from './testing/stix2.ts';
import type { StoredReport } from './testing/store-report.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from './testing/test-harness.ts';
import { type RunningWorker, startWorker } from './worker.ts';

const redis = await testRedisUrl();
const timeouts = { lockMs: 3000, stallMs: 1000 };

interface Backend {
  config: QueueConfig;
  /** Loses everything that the queue has stored. */
  wipe(): Promise<void>;
}

const onPostgres = (databaseUrl: string, adminUrl: string): Backend => ({
  config: { databaseUrl, prefix: `test-${randomBytes(4).toString('hex')}`, ...timeouts },
  async wipe() {
    await withClient(adminUrl, (admin) => admin.query('truncate bullmq.job cascade'));
  },
});

function onRedis(databaseUrl: string): Backend {
  if (redis.url === null) throw new Error(redis.reason);
  const { url, prefix } = redis;
  return {
    config: { redisUrl: url, databaseUrl, prefix, ...timeouts },
    async wipe() {
      const admin = new Redis(url);
      await admin.flushdb();
      admin.disconnect();
    },
  };
}

/** Deliveries of a webhook with their jobs. @returns the messages of the jobs */
async function queueDeliveries(
  trx: OrganizationTransaction,
  webhookId: string,
  count: number,
): Promise<QueueMessage[]> {
  const { rows } = await sql<{ id: string; organizationId: string }>`
    with made as (
      insert into webhook_delivery (organization_id, id, webhook_id, type, payload, next_attempt_at, job_id, leased_until)
      select current_organization(), gen_random_uuid(), ${webhookId}, 'webhook.test', '{}', now(), gen_random_uuid(),
        now() + interval '1 hour'
      from generate_series(1, ${count}::integer)
      returning id, job_id
    )
    insert into job (organization_id, id, kind, payload)
    select current_organization(), job_id, 'webhook.deliver', jsonb_build_object('deliveryId', id) from made
    returning id, organization_id as "organizationId"`.execute(trx);
  return rows.map((row) => ({ ...row, kind: 'webhook.deliver' }));
}

const backends = [
  { name: 'PostgreSQL', on: onPostgres },
  ...(redis.url === null ? [] : [{ name: 'Redis', on: onRedis }]),
];

describe.each(backends)('a worker on $name', { timeout: 60_000 }, ({ on }) => {
  let harnesses: HarnessDatabase;
  let harness: TestHarness;
  let backend: Backend;
  let producer: Producer;
  let relay: Relay;
  let workers: RunningWorker[];
  let events: OrganizationEvent[];

  beforeAll(async () => {
    harnesses = await openHarnessDatabase();
    backend = on(harnesses.test.url, harnesses.test.adminUrl);
    await prepareQueue(backend.config);
    producer = openProducer(backend.config);
    relay = openRelay(backend.config);
  });
  afterAll(async () => {
    await Promise.all([producer.close(), relay.close()]);
    await harnesses.close();
  });
  beforeEach(async () => {
    harness = await harnesses.open();
    workers = [];
    events = [];
    await relay.subscribe(
      organizationTopics(harness.organizationId),
      (event) => void events.push(event as OrganizationEvent),
    );
  });
  afterEach(() => Promise.all(workers.map((worker) => worker.close(1000))));

  const start = () => {
    const webhooks = { key: webhookKey, allowPrivate: true };
    const deps = { database: harnesses.database, producer, relay, webhooks, log: pino({ level: 'silent' }) };
    workers.push(startWorker(deps, { queue: backend.config, concurrency: 2, batchDays: 90, sweepMs: 500 }));
  };

  const enqueue = (reports: StoredReport[]) =>
    producer.enqueue(
      reports.map(({ parseJobId: id }) => ({
        id,
        kind: 'stix.parse',
        organizationId: harness.organizationId,
      })),
    );

  const upload = (name: string, content: string) =>
    harness.store(name, content, ['vulnerabilities', 'threats']);

  const done = (reports: StoredReport[]): Promise<JobRow[]> =>
    vi.waitFor(
      async () => {
        const jobs = await Promise.all(
          reports.flatMap(({ parseJobId, extractJobId = '' }) => [
            harness.job(parseJobId),
            harness.job(extractJobId),
          ]),
        );
        const states = jobs.map(({ state }) => state);
        expect(states).toEqual(states.map(() => 'succeeded'));
        return jobs;
      },
      { timeout: 40_000, interval: 50 },
    );

  it('parses and extracts an upload, and publishes the changes', async () => {
    start();
    const report = await upload('a.json', bundle([vulnerability({ cves: ['CVE-2021-44228'] }), threat()]));
    await enqueue([report]);
    const jobs = await done([report]);
    for (const job of jobs) expect(job).toMatchObject({ attempt: 1, tries: 1 });
    await checkImportReport(harness, report.fileId);
    await vi.waitFor(() => {
      const types = events.map(({ type }) => type);
      expect(types).toEqual(
        expect.arrayContaining(['file.changed', 'vulnerability.changed', 'threat.changed']),
      );
    });
    const states = (id = '') =>
      events.flatMap((event) =>
        event.type === 'job.updated' && event.job._id === id ? event.job.state : [],
      );
    for (const id of [report.parseJobId, report.extractJobId]) {
      expect(states(id).at(-1)).toBe('succeeded');
      expect(states(id)).toContain('running');
    }
  });

  it('fails an invalid report and continues with the next', async () => {
    start();
    const bad = await upload('bad.json', '{"type": "bundle", "objects": [}');
    const good = await upload('good.json', bundle([threat()]));
    await enqueue([bad, good]);
    await done([good]);
    await vi.waitFor(async () =>
      expect(await harness.job(bad.parseJobId)).toMatchObject({ state: 'failed', tries: 1 }),
    );
    expect(await harness.job(bad.extractJobId ?? '')).toMatchObject({ error_code: 'prerequisite_failed' });
  });

  it('finishes all jobs, waiting and running, after the queue has lost its data', async () => {
    const reports = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        upload(`${index}.json`, bundle(manyVulnerabilities(400, 10_000 + index * 1000))),
      ),
    );
    await enqueue(reports);
    start();
    await vi.waitFor(async () => {
      const running = await harness.inside((trx) =>
        trx.selectFrom('job').select('id').where('state', '=', 'running').execute(),
      );
      expect(running).not.toEqual([]);
    });
    await backend.wipe();
    const jobs = await done(reports);
    for (const job of jobs) expect(job.tries).toBeLessThanOrEqual(2);
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 12 * 400, activity: 12 });
    expect(await orphans(harness)).toEqual([]);
  });

  it('shares jobs with another worker and runs each once', async () => {
    start();
    start();
    const reports = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        upload(`${index}.json`, bundle([...manyVulnerabilities(20), threat()])),
      ),
    );
    await enqueue(reports);
    const jobs = await done(reports);
    expect(jobs.map(({ attempt }) => attempt)).toEqual(jobs.map(() => 1));
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 20, threat: 20, activity: 20 });
    for (const { fileId } of reports) await checkImportReport(harness, fileId);
  });

  it('starts the job of another organization second or third, however many jobs the first one has enqueued', async () => {
    const other = await harnesses.open();
    const many: StoredReport[] = [];
    for (let n = 0; n < 8; n += 1) many.push(await harness.store(`${n}.json`, bundle([threat()])));
    const single = await other.store('single.json', bundle([threat()]));
    const jobs = await Promise.all([
      ...many.map(({ parseJobId }) => harness.job(parseJobId)),
      other.job(single.parseJobId),
    ]);
    await producer.enqueue(jobs.map(messageOf));
    start();
    const ended = await vi.waitFor(
      async () => {
        const now = [
          ...(await Promise.all(many.map(({ parseJobId }) => harness.job(parseJobId)))),
          await other.job(single.parseJobId),
        ];
        expect(now.filter(({ state }) => state !== 'succeeded')).toEqual([]);
        return now;
      },
      { timeout: 40_000, interval: 50 },
    );
    const starts = ended.toSorted((a, b) => Number(a.started_at) - Number(b.started_at)).map(({ id }) => id);
    expect(starts.indexOf(single.parseJobId)).toBeLessThanOrEqual(2);
  });

  it('reads reports while deliveries to a webhook that never answers wait', async () => {
    const calls = vi.fn<() => void>();
    const server = createServer(calls);
    await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const webhookId = await alertHarness(harness).webhook(`http://127.0.0.1:${port}/`, secret);
    const deliveries = await harness.inside((trx) => queueDeliveries(trx, webhookId, 20));
    try {
      start();
      await producer.enqueue(deliveries);
      await vi.waitFor(() => expect(calls).toHaveBeenCalledTimes(2));
      const report = await upload('a.json', bundle([threat()]));
      await enqueue([report]);
      await done([report]);
      expect(calls).toHaveBeenCalledTimes(2);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('stops a running job soon after it is cancelled', async () => {
    start();
    const report = await upload('long.json', bundle(manyVulnerabilities(60_000)));
    await enqueue([report]);
    await vi.waitFor(async () => expect((await harness.job(report.parseJobId)).state).toBe('running'), {
      interval: 5,
    });
    await harness.remove(report.fileId);
    const next = await upload('next.json', bundle([threat()]));
    await enqueue([next]);
    await done([next]);
    expect(await rowCounts(harness)).toMatchObject({ report_file: 1, report_record: 1, vulnerability: 0 });
  });

  it('starts a postponed job when it is due, although its message is delivered before', async () => {
    const reports = [
      await upload('first.json', bundle([threat()])),
      await upload('retry.json', bundle([threat()])),
    ];
    for (const [tries, { parseJobId }] of reports.entries())
      await harness.inside((trx) =>
        trx
          .updateTable('job')
          .set({ run_at: sql<Date>`now() + interval '2 seconds'`, tries, attempt: tries })
          .where('id', '=', parseJobId)
          .execute(),
      );
    await enqueue(reports);
    start();
    await done(reports);
    for (const { parseJobId } of reports) {
      const job = await harness.job(parseJobId);
      expect(job.started_at?.getTime()).toBeGreaterThanOrEqual(job.run_at.getTime());
    }
  });

  it('queues a job again that it cannot finish before it closes', async () => {
    start();
    const report = await upload('long.json', bundle(manyVulnerabilities(20_000)));
    await enqueue([report]);
    await vi.waitFor(async () => expect((await harness.job(report.parseJobId)).state).toBe('running'), {
      interval: 5,
    });
    await sleep(100);
    await workers[0]?.close(2000);
    expect(await harness.job(report.parseJobId)).toMatchObject({ state: 'queued', tries: 0, attempt: 1 });
    start();
    const [parse] = await done([report]);
    expect(parse).toMatchObject({ attempt: 2, tries: 1 });
    expect(await rowCounts(harness)).toMatchObject({ report_record: 20_000, vulnerability: 20_000 });
  });

  it('closes after the organization that its housekeeping is at, and leaves the others to the next round', async () => {
    const other = await harnesses.open();
    const recordedDays = ({ inside }: TestHarness) =>
      inside((trx) => trx.selectFrom('asset_score_day').select('finished_at').execute());
    let closed: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      await lockAssets(trx);
      start();
      await vi.waitFor(async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(trx);
        expect(rows).not.toEqual([]);
      });
      closed = workers[0]?.close(1000);
    });
    await closed;
    expect(await recordedDays(harness)).toEqual([{ finished_at: expect.any(Date) }]);
    expect(await recordedDays(other)).toEqual([]);
  });
});
