import { withClient } from '@riskboard/testing';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { holdBatchJobs, releaseBatchJobs } from '../report-batches/batch-jobs.ts';
import { insertJob, messageOf, selectJobs } from './jobs.ts';
import { releaseWaiting } from './waiting-jobs.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  await asAdmin(`update job set state = 'cancelled'`);
});
afterAll(() => database.end());

/** The system role may not change files of batches, as triggers of their jobs do. */
async function asAdmin(statement: string): Promise<void> {
  await withClient(database.clone.adminUrl, (admin) => admin.query(statement));
}

async function request(organizationId: string, count: number, waitsFor?: string): Promise<string[]> {
  const ids: string[] = [];
  await withOrganization(database, organizationId, async (trx) => {
    for (let n = 0; n < count; n += 1) {
      const payload = { fileId: newId(), contentId: newId() };
      const job = { kind: 'stix.parse' as const, payload, organizationId };
      ids.push(await insertJob(trx, waitsFor === undefined ? job : { ...job, waitsFor }));
    }
  });
  return ids;
}

/** Requests the jobs of a new batch. */
async function requestBatch(
  organizationId: string,
  count: number,
): Promise<{ batchId: string; ids: string[] }> {
  const batchId = newId();
  await withOrganization(database, organizationId, (trx) =>
    sql`insert into batch (organization_id, id, name) values (${organizationId}, ${batchId}, 'May')`.execute(
      trx,
    ),
  );
  const ids: string[] = [];
  await withOrganization(database, organizationId, async (trx) => {
    for (let n = 0; n < count; n += 1) {
      const payload = { fileId: newId(), contentId: newId() };
      const batch = { id: batchId, fileId: newId() };
      ids.push(await insertJob(trx, { kind: 'stix.parse', payload, organizationId, batch }));
    }
  });
  return { batchId, ids };
}

const orderOf = async (organizationId: string, id: string): Promise<number> =>
  withOrganization(database, organizationId, async (trx) =>
    messageOf(await selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow()),
  ).then(({ order }) => order);

const set = (id: string, change: RawBuilder<unknown>) =>
  sql`update job set ${change} where id = ${id}`.execute(database.system);

/** The organizations of all waiting jobs in the order in which a single slot starts them. */
async function sequence(names: Record<string, string>): Promise<string> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from job where state = 'queued' and waits_for is null
    order by queue_order, id`.execute(database.system);
  return rows.map((row) => names[row.organization_id]).join('');
}

it('40 jobs of one organization delay the only job of another one by one job', async () => {
  const [a, b] = [await makeOrganization(database), await makeOrganization(database)];
  await request(a, 40);
  await request(b, 1);
  expect(await sequence({ [a]: 'A', [b]: 'B' })).toMatch(/^ABA{39}$/u);
});

it('an organization that enqueues later joins the rotation and does not overtake jobs that waited longer', async () => {
  const [a, b] = [await makeOrganization(database), await makeOrganization(database)];
  const first = await request(a, 10);
  for (const id of first.slice(0, 6)) await set(id, sql`state = 'running'`);
  await request(b, 6);
  expect(await sequence({ [a]: 'A', [b]: 'B' })).toBe('ABABABABBB');
});

it('a job that is released or requested again goes behind the waiting jobs of its organization', async () => {
  const a = await makeOrganization(database);
  const [first = '', second = ''] = await request(a, 2);
  const [waiting = ''] = await request(a, 1, first);
  await set(first, sql`state = 'succeeded'`);
  const [released] = await withOrganization(database, a, (trx) => releaseWaiting(trx, first));
  expect(released?.id).toBe(waiting);
  expect([await orderOf(a, second), await orderOf(a, waiting)]).toEqual([2, 3]);
  await set(second, sql`state = 'failed'`);
  await set(second, sql`state = 'queued'`);
  expect(await orderOf(a, second)).toBe(4);
});

it('a run that is tried again keeps the order of its job', async () => {
  const a = await makeOrganization(database);
  const [first = ''] = await request(a, 3);
  await set(first, sql`state = 'running'`);
  await set(first, sql`state = 'queued', run_at = now() + interval '1 minute'`);
  expect(await orderOf(a, first)).toBe(1);
});

it('a job that waits for its retry does not hold the order of new organizations back', async () => {
  const [a, b] = [await makeOrganization(database), await makeOrganization(database)];
  const [first = '', second = ''] = await request(a, 3);
  await set(first, sql`run_at = now() + interval '1 minute'`);
  await set(second, sql`state = 'running'`);
  const [later = ''] = await request(b, 1);
  expect(await orderOf(b, later)).toBe(3);
});

it('the batch of an organization does not delay its other jobs, which share its slots with the batch', async () => {
  const [a, b] = [await makeOrganization(database), await makeOrganization(database)];
  await requestBatch(a, 20);
  await request(b, 5);
  const ids = await request(a, 3);
  expect(await Promise.all(ids.map((id) => orderOf(a, id)))).toEqual([1, 2, 3]);
  const { ids: second } = await requestBatch(a, 1);
  expect(await orderOf(a, second[0] ?? '')).toBe(21);
});

it('a paused batch does not delay another batch of its organization', async () => {
  const a = await makeOrganization(database);
  const { batchId } = await requestBatch(a, 20);
  await withOrganization(database, a, (trx) => holdBatchJobs(trx, batchId));
  const { ids } = await requestBatch(a, 2);
  expect(await Promise.all(ids.map((id) => orderOf(a, id)))).toEqual([1, 2]);
});

it('the jobs of a resumed batch join the rotation behind jobs that started to wait meanwhile', async () => {
  const [a, b, c] = [
    await makeOrganization(database),
    await makeOrganization(database),
    await makeOrganization(database),
  ];
  const { batchId } = await requestBatch(a, 3);
  await withOrganization(database, a, (trx) => holdBatchJobs(trx, batchId));
  const waiting = await request(b, 10);
  for (const id of waiting.slice(0, 6)) await set(id, sql`state = 'running'`);
  const released = await withOrganization(database, a, (trx) => releaseBatchJobs(trx, batchId));
  expect(new Set(released.map((job) => messageOf(job).order))).toEqual(new Set([7, 8, 9]));
  await request(c, 1);
  expect(await sequence({ [a]: 'A', [b]: 'B', [c]: 'C' })).toBe('ABCABABB');
});

/** Rows of `job` that this session has read; earlier transactions are part of it until they are reported. */
async function rowsRead(trx: OrganizationTransaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname = 'job'`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

it('an order is found by reading few jobs, however many wait or are held', async () => {
  const a = await makeOrganization(database);
  const { batchId } = await requestBatch(a, 300);
  await withOrganization(database, a, (trx) => holdBatchJobs(trx, batchId));
  const { batchId: second } = await requestBatch(a, 300);
  await asAdmin('analyze job');
  for (const batch of [undefined, { id: second, fileId: newId() }]) {
    const read = await withOrganization(database, a, async (trx) => {
      const before = await rowsRead(trx);
      const payload = { fileId: newId(), contentId: newId() };
      await insertJob(trx, { kind: 'stix.parse', payload, organizationId: a, ...(batch && { batch }) });
      return (await rowsRead(trx)) - before;
    });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(20);
  }
});
