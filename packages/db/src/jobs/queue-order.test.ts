import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { makeOrganization } from '../test/organization.ts';
import { type OpenDatabase, openClone } from '../test/open.ts';
import { withOrganization } from '../with-organization.ts';
import { insertJob, messageOf, selectJobs } from './jobs.ts';
import { releaseWaiting } from './waiting-jobs.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
beforeEach(async () => {
  await sql`update job set state = 'cancelled'`.execute(database.system);
});
afterAll(() => database.end());

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
