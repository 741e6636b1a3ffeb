import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { bundle, vulnerability } from '../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../testing/test-harness.ts';
import { deleteOldBatches } from './old-batches.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

const ago = (days: number) => sql`now() - make_interval(secs => ${days * 86_400})`;

interface OldFile {
  state: 'succeeded' | 'failed' | 'queued';
  days: number;
}

/** A batch that was created 100 days ago, unless `days` says otherwise. */
async function batchOf(files: readonly OldFile[], closedDays?: number, days = 100): Promise<string> {
  const id = newId();
  const closed = closedDays === undefined ? sql`null` : ago(closedDays);
  await harness.inside(async (trx) => {
    await sql`insert into batch (organization_id, id, name, created_at, closed_at)
      values (current_organization(), ${id}, 'May', ${ago(days)}, ${closed})`.execute(trx);
    for (const file of files)
      await sql`insert into batch_file (organization_id, id, batch_id, name, size, state, received_at, ended_at)
        values (current_organization(), ${newId()}, ${id}, ${newId()}, 1, ${file.state}, ${ago(days)},
          ${file.state === 'queued' ? sql`null` : ago(file.days)})`.execute(trx);
  });
  return id;
}

const count = async (table: string): Promise<number> => {
  const { rows } = await harness.inside((trx) =>
    sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(trx),
  );
  return rows[0]?.n ?? 0;
};
const ids = async (): Promise<string[]> =>
  (await harness.inside((trx) => trx.selectFrom('batch').select('id').orderBy('id').execute())).map(
    ({ id }) => id,
  );

it('a batch is deleted after the retention, with its files, attempts and changes; other batches stay', async () => {
  await batchOf([
    { state: 'succeeded', days: 95 },
    { state: 'failed', days: 91 },
  ]);
  await batchOf([]);
  const kept = [
    await batchOf([
      { state: 'succeeded', days: 95 },
      { state: 'failed', days: 89 },
    ]),
    await batchOf([{ state: 'queued', days: 0 }]),
    await batchOf([{ state: 'succeeded', days: 95 }], 89),
  ];
  expect(await deleteOldBatches(harness.deps, { days: 90 })).toBe(2);
  expect(await ids()).toEqual(kept.toSorted());
  expect([await count('batch_file'), await count('batch_change')]).toEqual([4, 4]);
  expect(await deleteOldBatches(harness.deps, { days: 90 })).toBe(0);
  expect(await deleteOldBatches(harness.deps, { days: 30 })).toBe(2);
});

it('a batch that has received no file is deleted a day after it was created or closed', async () => {
  await batchOf([], undefined, 1.1);
  await batchOf([], 1.1, 1.2);
  const kept = [
    await batchOf([], undefined, 0.9),
    await batchOf([], 0.9, 1.1),
    await batchOf([{ state: 'failed', days: 1.1 }], 1.1, 2),
  ];
  expect(await deleteOldBatches(harness.deps, { days: 90 })).toBe(2);
  expect(await ids()).toEqual(kept.toSorted());
});

it('a batch whose first file is being received stays', async () => {
  const id = await batchOf([], undefined, 2);
  await harness.inside((trx) => sql`update batch set receiving_at = now() where id = ${id}`.execute(trx));
  expect(await deleteOldBatches(harness.deps, { days: 90 })).toBe(0);
  await harness.inside((trx) => sql`update batch set receiving_at = ${ago(1.1)}`.execute(trx));
  expect(await deleteOldBatches(harness.deps, { days: 90 })).toBe(1);
});

it('the retention is a setting, and two workers delete a batch once', async () => {
  await batchOf([{ state: 'succeeded', days: 50 }]);
  expect(await deleteOldBatches(harness.deps, { days: 60 })).toBe(0);
  const deleted = await Promise.all([1, 2].map(() => deleteOldBatches(harness.deps, { days: 40 })));
  expect(Math.max(...deleted) + Math.min(...deleted)).toBe(1);
});

it('a worker whose clock is a year ahead deletes no batch before the retention', async () => {
  await batchOf([{ state: 'succeeded', days: 50 }]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await deleteOldBatches(harness.deps, { days: 90 })).toBe(0);
});

it('the report and its job stay, and the job can run again', async () => {
  const { fileId, parseJobId } = await harness.store('a.json', bundle([vulnerability()]));
  const batchId = await batchOf([{ state: 'failed', days: 95 }]);
  await harness.inside(async (trx) => {
    await sql`update batch_file set file_id = ${fileId}, parse_job_id = ${parseJobId}`.execute(trx);
    await sql`update job set state = 'failed', batch_id = ${batchId}, batch_file_id = (select id from batch_file)
      where id = ${parseJobId}`.execute(trx);
  });
  expect(await deleteOldBatches(harness.deps, { days: 90 })).toBe(1);
  expect(await count('report_file')).toBe(1);
  await harness.inside((trx) => sql`update job set state = 'queued' where id = ${parseJobId}`.execute(trx));
  await harness.run(parseJobId);
  expect((await harness.job(parseJobId)).state).toBe('succeeded');
});
