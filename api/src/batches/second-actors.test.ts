import { type Batch, batches } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bySession, makeMember } from '../testing/accounts/member.ts';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { batchJobs, jobChanges } from '../testing/fakes/batch-jobs.ts';
import { whileHeld } from '../testing/held-row.ts';
import { type Answer, password, type Person, signUp } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let id: string;
let jobs: ReturnType<typeof batchJobs>;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  id = (await ada.post('/api/batches', { name: 'Feeds of May' })).json<Batch>()._id;
  jobs = batchJobs(api, ada);
});
afterAll(() => api.close());

const get = async (): Promise<Batch> => (await ada.get(`/api/batches/${id}`)).json<Batch>();
const none = { queued: 0, running: 0, succeeded: 0, withIssues: 0, failed: 0, cancelled: 0 };

/** Every call of the endpoints about batches, for the batch of the test. */
const calls = Object.values(batches).map(({ method, path, access }) => {
  const query = { facets: '?field=state', estimate: '?files=1&bytes=1' }[path.split('/').at(-1) ?? ''] ?? '';
  return { method, path: path + query, access };
});
const reads = calls.filter(({ access }) => access === 'viewer');
const writes = calls.filter(({ access }) => access === 'analyst');
const ofOneBatch = ({ path }: { path: string }) => path.includes(':id');

type Call = (typeof calls)[number];
type Caller = (call: Call) => Promise<Answer>;
const urlOf = ({ path }: Call) => path.replace(':id', id);
const options = (call: Call) => ({
  method: call.method,
  url: urlOf(call),
  ...(call.path === '/api/batches' && call.method === 'POST' ? { body: { name: 'Another' } } : {}),
});

/** Another member of the organization, in a browser. */
async function join(role: 'viewer' | 'analyst'): Promise<{ accountId: string; call: Caller }> {
  const member = await makeMember(api, ada.user.organizationId, role);
  const credentials = await bySession(api, member);
  return {
    accountId: member.accountId,
    call: (call) => api.app.inject({ ...options(call), ...credentials }),
  };
}

const action = (name: 'retry' | 'cancel' | 'pause' | 'resume' | 'close'): Call => {
  const found = writes.find(({ path }) => path.endsWith(`/${name}`));
  if (!found) throw new Error(`There is no endpoint to ${name} a batch`);
  return found;
};

/** How often the activity log has an action on the batch. */
async function entries(name: string): Promise<number> {
  const { rows } = await asWorker(api, ada).inside((trx) =>
    sql<{ n: number }>`
      select count(*)::int as n from activity where noun_id = ${id} and action = ${name}`.execute(trx),
  );
  return rows[0]?.n ?? 0;
}

/** Two calls that wait for the lock of the batch at the same time. */
const atOnce = (...two: [() => Promise<Answer>, () => Promise<Answer>]): Promise<Answer[]> =>
  whileHeld(
    api,
    {
      as: 'app',
      async take(trx) {
        await sql`select set_config('app.organization_id', ${ada.user.organizationId}, true)`.execute(trx);
        await sql`select from batch where id = ${id} for update`.execute(trx);
      },
    },
    two,
  );
const asAda = (name: Parameters<typeof action>[0]) => () => ada.call(options(action(name)));
const statuses = (answers: readonly Answer[]): number[] =>
  answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);

describe('who may do what with a batch', () => {
  it('a viewer reads everything of it and changes nothing', async () => {
    await jobs.failReading(await jobs.add(id, 'a.json'));
    const before = await get();
    const viewer = await join('viewer');
    for (const call of reads)
      expect([call.path, (await viewer.call(call)).statusCode]).toEqual([call.path, 200]);
    for (const call of writes)
      expect([call.path, (await viewer.call(call)).statusCode]).toEqual([call.path, 403]);
    await ada.becomes('viewer');
    const upload = await ada.upload({ name: 'b.json', content: bundle() }, `?batch=${id}`);
    expect(upload.statusCode).toBe(403);
    expect(await get()).toEqual(before);
  });

  it('a member of another organization gets 404 for each call, and no name, total or estimate of it', async () => {
    await jobs.read(await jobs.add(id, 'secret-a.json'));
    await jobs.failReading(await jobs.add(id, 'secret-b.json'));
    const before = await get();
    const stranger = await signUp(api);
    for (const call of calls.filter(ofOneBatch)) {
      const { statusCode, body } = await stranger.call(options(call));
      expect([call.path, statusCode]).toEqual([call.path, 404]);
      expect(body).not.toMatch(/secret|May/u);
    }
    expect((await stranger.get('/api/batches')).json()).toMatchObject({ batches: [], total: 0 });
    const estimate = await stranger.get('/api/batches/estimate?files=10&bytes=1000');
    expect(estimate.json()).toEqual({ seconds: null, basedOn: 0 });
    expect(await get()).toEqual(before);
  });

  it('an expired session reads and changes nothing', async () => {
    await jobs.failReading(await jobs.add(id, 'a.json'));
    const before = await get();
    const colleague = await join('analyst');
    await sql`update session set expires_at = now() where account_id = ${colleague.accountId}`.execute(
      api.database.system,
    );
    for (const call of calls)
      expect([call.path, (await colleague.call(call)).statusCode]).toEqual([call.path, 401]);
    expect(await get()).toEqual(before);
  });

  it('a batch of a removed member goes on, stays readable, and others change it', async () => {
    const colleague = await join('analyst');
    const created = await colleague.call({ method: 'POST', path: '/api/batches', access: 'analyst' });
    id = created.json<Batch>()._id;
    const [done, failed] = [await jobs.add(id, 'a.json'), await jobs.add(id, 'b.json')];
    await jobs.job(done, 'parse', jobChanges.start);
    const removed = await ada.delete(`/api/organization/members/${colleague.accountId}`, { password });
    expect(removed.statusCode).toBeLessThan(300);
    expect((await colleague.call(action('cancel'))).statusCode).toBe(401);
    await jobs.read(done);
    await jobs.failReading(failed);
    expect(await get()).toMatchObject({
      status: 'finished',
      createdBy: colleague.accountId,
      states: { ...none, succeeded: 1, failed: 1 },
    });
    expect((await ada.call(options(action('retry')))).json()).toMatchObject({ retried: 1 });
    await jobs.read(failed);
    expect((await get()).states).toEqual({ ...none, succeeded: 2 });
  });
});

describe('two requests for a batch at once', () => {
  it('two retries queue each failed file once; the other is refused, because nothing is left', async () => {
    await jobs.failReading(await jobs.add(id, 'a.json'));
    await jobs.failReading(await jobs.add(id, 'b.json'));
    api.producer.enqueued.length = 0;
    expect(statuses(await atOnce(asAda('retry'), asAda('retry')))).toEqual([200, 409]);
    expect(api.producer.enqueued.map(({ kind }) => kind)).toEqual(['stix.parse', 'stix.parse']);
    expect((await get()).states).toEqual({ ...none, queued: 2 });
    expect(await entries('batch.retried')).toBe(1);
  });

  it('two cancellations succeed, and the log has one of them', async () => {
    await jobs.add(id, 'a.json');
    const colleague = await join('analyst');
    const answers = await atOnce(asAda('cancel'), () => colleague.call(action('cancel')));
    expect(statuses(answers)).toEqual([200, 200]);
    expect(await get()).toMatchObject({ status: 'cancelled', states: { ...none, cancelled: 1 } });
    expect(await entries('batch.cancelled')).toBe(1);
  });

  it('a cancellation wins over a pause, whichever comes first', async () => {
    await jobs.add(id, 'a.json');
    expect(statuses(await atOnce(asAda('pause'), asAda('cancel')))).toEqual([200, 200]);
    expect(await get()).toMatchObject({
      status: 'cancelled',
      pausedAt: null,
      states: { ...none, cancelled: 1 },
    });
  });

  it('a cancellation wins over a resumption: no job is left to start', async () => {
    await jobs.add(id, 'a.json');
    await asAda('pause')();
    expect(statuses(await atOnce(asAda('resume'), asAda('cancel')))).toEqual([200, 200]);
    expect(await get()).toMatchObject({ status: 'cancelled', states: { ...none, cancelled: 1 } });
  });

  it('a retry and a cancellation leave no file between its states', async () => {
    await jobs.failReading(await jobs.add(id, 'a.json'));
    await jobs.add(id, 'b.json');
    await atOnce(asAda('retry'), asAda('cancel'));
    const { states, files } = await get();
    expect(files).toBe(2);
    // The retry comes first and is cancelled, or second and is queued again.
    expect([states.cancelled, states.queued]).toBeOneOf([
      [2, 0],
      [1, 1],
    ]);
  });

  it('a file that arrives during a cancellation is cancelled or refused', async () => {
    await jobs.add(id, 'a.json');
    const [, upload] = await atOnce(asAda('cancel'), () =>
      ada.upload({ name: 'b.json', content: bundle('b') }, `?batch=${id}`),
    );
    const batch = await get();
    expect(batch).toMatchObject({ status: 'cancelled', states: { queued: 0, running: 0 } });
    expect([upload?.statusCode, batch.files]).toBeOneOf([
      [201, 2],
      [409, 1],
    ]);
  });
});

describe('a batch that changes while another change runs', () => {
  it('a retry while the retried file is queued or running is refused and disturbs nothing', async () => {
    const file = await jobs.add(id, 'a.json');
    await jobs.failReading(file);
    expect((await asAda('retry')()).statusCode).toBe(200);
    expect((await asAda('retry')()).statusCode).toBe(409);
    await jobs.job(file, 'parse', jobChanges.start);
    expect((await asAda('retry')()).statusCode).toBe(409);
    expect((await get()).states).toEqual({ ...none, running: 1 });
    await jobs.read(file);
    expect(await get()).toMatchObject({ status: 'finished', states: { ...none, succeeded: 1 } });
  });

  it('a retry in a paused batch waits until it is resumed', async () => {
    const file = await jobs.add(id, 'a.json');
    await jobs.failReading(file);
    await jobs.add(id, 'b.json');
    await asAda('pause')();
    expect((await asAda('retry')()).json()).toMatchObject({ retried: 1, batch: { status: 'paused' } });
    expect((await get()).states).toEqual({ ...none, queued: 2 });
  });

  it('a cancelled batch whose failed files are retried runs again, and can be paused and cancelled again', async () => {
    const file = await jobs.add(id, 'a.json');
    await jobs.failReading(file);
    await jobs.add(id, 'b.json');
    await asAda('cancel')();
    expect((await asAda('retry')()).json()).toMatchObject({ batch: { status: 'running' } });
    expect((await asAda('pause')()).json()).toMatchObject({ status: 'paused' });
    expect((await asAda('cancel')()).json()).toMatchObject({
      status: 'cancelled',
      states: { ...none, cancelled: 2 },
    });
    expect(await entries('batch.cancelled')).toBe(2);
  });

  it('files that another member deletes or replaces while they run end as cancelled, and the batch ends', async () => {
    const [deleted, replaced, kept] = [
      await jobs.add(id, 'deleted.json'),
      await jobs.add(id, 'replaced.json'),
      await jobs.add(id, 'kept.json'),
    ];
    for (const file of [deleted, replaced]) await jobs.job(file, 'parse', jobChanges.start);
    // The worker of a cancelled job ends its run, and then the report is deleted or replaced.
    const [removal, upload] = await Promise.all([
      ada.delete(`/api/reports/files/${deleted}`),
      ada.upload({ name: 'replaced.json', content: bundle('new') }),
    ]);
    expect([removal.statusCode < 300, upload.statusCode]).toEqual([true, 201]);
    await jobs.read(kept);
    expect(await get()).toMatchObject({
      status: 'finished',
      files: 3,
      states: { ...none, succeeded: 1, cancelled: 2 },
    });
    const { files } = (await ada.get(`/api/batches/${id}/files?sort=name`)).json<{
      files: { name: string; report: string }[];
    }>();
    expect(files.map(({ name, report }) => [name, report])).toEqual([
      ['deleted.json', 'deleted'],
      ['kept.json', 'current'],
      ['replaced.json', 'replaced'],
    ]);
    expect((await asAda('retry')()).statusCode).toBe(409);
  });
});
