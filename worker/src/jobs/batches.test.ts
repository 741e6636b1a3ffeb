import { addBatchFile, findBatch, newId, presentBatch, releaseBatchJobs } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { moveChangesOfBatches } from '../housekeeping/batch-changes.ts';
import { sweep } from '../housekeeping/sweep.ts';
import { bundle, threat, vulnerability } from '../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
let batchId: string;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
  batchId = newId();
  await harness.inside((trx) =>
    sql`insert into batch (organization_id, id, name) values (current_organization(), ${batchId}, 'May')`.execute(
      trx,
    ),
  );
});

/** Stores a report as a file of the batch, with its jobs. */
async function add(name: string, content: string) {
  const {
    fileId,
    parseJobId,
    extractJobId = null,
  } = await harness.store(name, content, ['vulnerabilities', 'threats']);
  const id = newId();
  await harness.inside(async (trx) => {
    await sql`update job set batch_id = ${batchId}, batch_file_id = ${id}
      where id in (${parseJobId}, ${extractJobId})`.execute(trx);
    await addBatchFile(trx, {
      batchId,
      id,
      name,
      size: content.length,
      fileId,
      parseJobId,
      extractJobId,
    });
  });
  return { parse: parseJobId, extract: extractJobId ?? '' };
}

const batch = async () => {
  const row = await harness.inside((trx) => findBatch(trx, batchId));
  if (!row) throw new Error('The batch does not exist.');
  return presentBatch(row);
};
const pause = (at: string | null) =>
  harness.inside((trx) => sql`update batch set paused_at = ${at} where id = ${batchId}`.execute(trx));
const attempts = async () =>
  (
    await harness.inside((trx) =>
      sql<{ run: string }>`
        select step || ' ' || attempt || ' ' || coalesce(outcome, 'runs') as run from batch_attempt order by started_at`.execute(
        trx,
      ),
    )
  ).rows.map(({ run }) => run);

it('real reports of a batch end as succeeded, with issues, or failed, and their records are counted', async () => {
  const good = await add('good.json', bundle([vulnerability(), threat()]));
  const partly = await add('partly.json', bundle([vulnerability({ revoked: true }), threat()]));
  const broken = await add('broken.json', '{"type":"bundle","id":"bundle--1","objects":[{"type":');
  for (const { parse, extract } of [good, partly, broken]) {
    await harness.run(parse);
    await harness.run(extract);
  }
  const ended = await batch();
  expect(ended.states).toMatchObject({ succeeded: 1, withIssues: 1, failed: 1 });
  expect(ended).toMatchObject({ status: 'finished', files: 3 });
  expect(ended.issues).toBeGreaterThan(0);
  expect(ended.created).toBeGreaterThan(0);
});

it('the issues of a file count each finding of a warning', async () => {
  const modified = 'soon';
  const { parse, extract } = await add('a.json', bundle([vulnerability({ modified }), threat({ modified })]));
  await harness.run(parse);
  await harness.run(extract);
  expect(await batch()).toMatchObject({ issues: 2, states: { withIssues: 1 } });
});

it('two workers on one job of a batch count its file once', async () => {
  const { parse, extract } = await add('a.json', bundle([vulnerability()]));
  await Promise.allSettled([harness.run(parse), harness.run(parse)]);
  await Promise.allSettled([harness.run(extract), harness.run(extract)]);
  await harness.run(extract);
  expect(await batch()).toMatchObject({ files: 1, created: 1, states: { succeeded: 1, running: 0 } });
});

it('a job whose worker stopped has a lost attempt before the one that succeeds', async () => {
  const { parse } = await add('a.json', bundle([vulnerability()]));
  await harness.inside((trx) =>
    sql`update job set state = 'running', attempt = 1, tries = 1, started_at = now(),
      heartbeat_at = now() - interval '1 minute' where id = ${parse}`.execute(trx),
  );
  await harness.run(parse);
  expect(await attempts()).toEqual(['read 1 lost', 'read 2 succeeded']);
});

it('no job of a paused batch starts, the sweep leaves it alone, and resuming lets it run', async () => {
  const { parse } = await add('a.json', bundle([vulnerability()]));
  await pause('2026-01-01');
  await harness.run(parse);
  const held = await harness.job(parse);
  expect(held).toMatchObject({ state: 'queued', phase: 'waiting for the batch to be resumed' });
  expect(await batch()).toMatchObject({ status: 'paused', states: { queued: 1 } });
  const enqueued: unknown[] = [];
  const producer = {
    enqueue: async (messages: readonly unknown[]) => void enqueued.push(...messages),
    recover: async () => {},
  };
  await harness.inside((trx) => sql`update job set rung_at = now() - interval '1 day'`.execute(trx));
  await sweep({ database: harness.database, producer }, { silentMs: 1, messageLostMs: 1 });
  expect(enqueued).not.toContainEqual(expect.objectContaining({ id: parse }));
  await pause(null);
  const released = await harness.inside((trx) => releaseBatchJobs(trx, batchId));
  expect(released.map(({ id }) => id)).toEqual([parse]);
  // Pages drop the event of a job whose version is not newer.
  expect(await harness.job(parse)).toMatchObject({ phase: 'waiting', version: held.version + 1 });
  await harness.run(parse);
  expect((await harness.job(parse)).state).toBe('succeeded');
});

it('a job that runs when its batch is paused ends, and its extraction waits', async () => {
  const { parse, extract } = await add('a.json', bundle([vulnerability()]));
  await harness.run(parse);
  await pause('2026-01-01');
  await harness.run(extract);
  expect(await batch()).toMatchObject({ status: 'paused', states: { running: 1, queued: 0 } });
  await pause(null);
  await harness.inside((trx) => releaseBatchJobs(trx, batchId));
  await harness.run(extract);
  expect(await batch()).toMatchObject({ status: 'finished', states: { succeeded: 1 } });
});

const changes = () =>
  harness.inside(async (trx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from batch_change where batch_id = ${batchId}`.execute(trx);
    return rows[0]?.n;
  });

it('housekeeping moves the changes of a batch that has many, and keeps its totals', async () => {
  const { parse } = await add('a.json', bundle([vulnerability()]));
  await harness.run(parse);
  const before = await batch();
  expect(before.states.running).toBe(1);
  await moveChangesOfBatches(harness.deps);
  expect(await changes()).toBeGreaterThan(0);
  await moveChangesOfBatches(harness.deps, 2);
  expect(await changes()).toBe(0);
  expect(await batch()).toEqual(before);
});

it('housekeeping moves the few changes of a batch once no file is queued or running', async () => {
  const { parse, extract } = await add('a.json', bundle([vulnerability()]));
  await harness.run(parse);
  await harness.run(extract);
  const before = await batch();
  expect(before.states.succeeded).toBe(1);
  await moveChangesOfBatches(harness.deps);
  expect(await changes()).toBe(0);
  expect(await batch()).toEqual(before);
});
