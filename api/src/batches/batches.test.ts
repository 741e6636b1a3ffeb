import type { Batch, BatchFile, Job } from '@riskboard/contract';
import { moveBatchChanges, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvLines } from '../testing/csv.ts';
import { batchJobs, jobChanges } from '../testing/fakes/batch-jobs.ts';
import { type Person, signUp } from '../testing/person.ts';
import { bundle, strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const create = async (body: object = {}): Promise<string> =>
  (await ada.post('/api/batches', body)).json<Batch>()._id;
const get = async (id: string): Promise<Batch> => (await ada.get(`/api/batches/${id}`)).json<Batch>();
const filesOf = async (id: string, query = ''): Promise<BatchFile[]> =>
  (await ada.get(`/api/batches/${id}/files?${query}`)).json<{ files: BatchFile[] }>().files;
const change = (id: string, action: 'retry' | 'cancel' | 'pause' | 'resume' | 'close') =>
  ada.post(`/api/batches/${id}/${action}`);

const { start, succeed, fail } = jobChanges;
type Jobs = ReturnType<typeof batchJobs>;
const add = (...args: Parameters<Jobs['add']>) => batchJobs(api, ada).add(...args);
const job = (...args: Parameters<Jobs['job']>) => batchJobs(api, ada).job(...args);
const read = (...args: Parameters<Jobs['read']>) => batchJobs(api, ada).read(...args);

const none = { queued: 0, running: 0, succeeded: 0, withIssues: 0, failed: 0, cancelled: 0 };

/** The totals, counted from the rows of the files. */
const recount = (id: string) =>
  withOrganization(api.database, ada.user.organizationId, async (trx) => {
    const { rows } = await sql`
      select count(*)::int as files, coalesce(sum(size), 0)::int as bytes, coalesce(sum(issues), 0)::int as issues,
        coalesce(sum(created), 0)::int as created, coalesce(sum(updated), 0)::int as updated,
        jsonb_build_object('queued', count(*) filter (where state = 'queued'),
          'running', count(*) filter (where state = 'running'), 'succeeded', count(*) filter (where state = 'succeeded'),
          'withIssues', count(*) filter (where state = 'withIssues'), 'failed', count(*) filter (where state = 'failed'),
          'cancelled', count(*) filter (where state = 'cancelled')) as states
      from batch_file where batch_id = ${id}`.execute(trx);
    return rows[0];
  });

describe('a batch', () => {
  it.each([
    ['no body', {}],
    ['an empty body of JSON', { headers: { 'content-type': 'application/json' }, payload: '' }],
  ])('can be created with %s, and has its path in Location', async (_what, request) => {
    const answer = await ada.call({ method: 'POST', url: '/api/batches', ...request });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers.location).toBe(`/api/batches/${answer.json<Batch>()._id}`);
  });

  it('needs a body where a member is required', async () => {
    const empty = { headers: { 'content-type': 'application/json' }, payload: '' };
    const calls = [{}, empty].map((request) =>
      ada.call({ method: 'POST', url: '/api/vulnerabilities', ...request }),
    );
    expect((await Promise.all(calls)).map(({ statusCode }) => statusCode)).toEqual([422, 400]);
  });

  it('counts its files and their results, and is finished when all of them have ended', async () => {
    const id = await create({ name: 'Feeds of May' });
    expect(await get(id)).toMatchObject({
      name: 'Feeds of May',
      status: 'receiving',
      files: 0,
      states: none,
    });
    const [a, b, c] = [await add(id, 'a.json'), await add(id, 'b.json'), await add(id, 'c.json')];
    expect(await get(id)).toMatchObject({ status: 'running', files: 3, states: { ...none, queued: 3 } });
    await job(a, 'parse', start);
    expect((await get(id)).states).toEqual({ ...none, queued: 2, running: 1 });
    await read(a);
    await read(b, { failed: 9, warnings: 2 }, { skipped: 1 });
    await job(c, 'parse', start);
    expect(await get(id)).toMatchObject({ status: 'running', finishedAt: null });
    await job(c, 'parse', fail);
    const batch = await get(id);
    expect(batch).toMatchObject({
      status: 'finished',
      files: 3,
      bytes: bundle('a.json').length * 3,
      states: { ...none, succeeded: 1, withIssues: 1, failed: 1 },
      issues: 12,
      created: 4,
      updated: 2,
      skipped: 1,
    });
    expect(batch.startedAt).not.toBeNull();
    expect(batch.finishedAt).not.toBeNull();
    expect(batch).toMatchObject((await recount(id)) as object);
  });

  it('has the same totals after its changes were moved, by two processes at the same time', async () => {
    const id = await create();
    for (const name of ['a.json', 'b.json']) await read(await add(id, name));
    const before = await get(id);
    const move = () =>
      withOrganization(api.database, ada.user.organizationId, (trx) => moveBatchChanges(trx, id));
    const moved = await Promise.all([move(), move()]);
    expect(Math.max(...moved)).toBeGreaterThan(5);
    expect(Math.min(...moved)).toBe(0);
    expect(await get(id)).toEqual(before);
    await add(id, 'c.json');
    expect(await get(id)).toMatchObject({ files: 3, states: { ...none, succeeded: 2, queued: 1 } });
  });

  it('expects the announced files, keeps what was received, and can be continued or closed', async () => {
    const id = await create({ files: 3, bytes: 1000 });
    await read(await add(id, 'a.json'));
    expect(await get(id)).toMatchObject({
      status: 'receiving',
      files: 1,
      planned: { files: 3, bytes: 1000 },
      finishedAt: null,
    });
    await read(await add(id, 'b.json'));
    expect((await change(id, 'close')).json()).toMatchObject({ status: 'finished', files: 2 });
    expect((await get(id)).finishedAt).not.toBeNull();
  });

  /** Moves the arrivals and the closing of a batch back by some minutes. */
  const wait = (id: string, minutes: { files: number; closed: number }) =>
    withOrganization(api.database, ada.user.organizationId, async (trx) => {
      await sql`update batch_file set received_at = received_at - make_interval(mins => ${minutes.files})
        where batch_id = ${id}`.execute(trx);
      await sql`update batch set closed_at = closed_at - make_interval(mins => ${minutes.closed}),
        created_at = created_at - interval '10 minutes' where id = ${id}`.execute(trx);
    });

  it('is being uploaded until no file has arrived for two minutes', async () => {
    const id = await create({ files: 3 });
    expect(await get(id)).toMatchObject({ status: 'receiving', uploading: true, lastReceivedAt: null });
    await wait(id, { files: 0, closed: 0 });
    expect(await get(id)).toMatchObject({ status: 'receiving', uploading: false });
    await add(id, 'a.json');
    const [file] = await filesOf(id);
    expect(await get(id)).toMatchObject({ uploading: true, lastReceivedAt: file?.receivedAt });
    expect((await change(id, 'pause')).json()).toMatchObject({ status: 'paused', uploading: true });
    await wait(id, { files: 3, closed: 0 });
    expect(await get(id)).toMatchObject({ status: 'paused', uploading: false, closedAt: null });
  });

  it('that was closed while another client sends is open as long as files arrive, and can be closed again', async () => {
    const id = await create({ files: 4 });
    await read(await add(id, 'a.json'));
    expect((await change(id, 'close')).json()).toMatchObject({ status: 'finished', uploading: false });
    await read(await add(id, 'b.json'));
    expect(await get(id)).toMatchObject({ status: 'receiving', uploading: true, closedAt: null });
    await wait(id, { files: 3, closed: 5 });
    const later = await get(id);
    expect(later).toMatchObject({ status: 'finished', uploading: false });
    expect(later.closedAt).not.toBeNull();
    await read(await add(id, 'c.json'));
    expect((await change(id, 'close')).json()).toMatchObject({ status: 'finished', files: 3 });
    await read(await add(id, 'd.json'));
    expect(await get(id)).toMatchObject({ status: 'finished', files: 4 });
  });

  it('that receives files again after it was closed can be cancelled', async () => {
    const id = await create({ files: 4 });
    await change(id, 'close');
    await read(await add(id, 'a.json'));
    expect((await change(id, 'cancel')).json()).toMatchObject({ status: 'cancelled' });
  });

  it('was processed for the time in which its files were read or extracted, without breaks', async () => {
    const id = await create();
    for (const name of ['a.json', 'b.json', 'c.json']) await read(await add(id, name));
    // From second 0 to 10 and from 5 to 20, and an hour later for a second.
    const runs = { 'a.json': [0, 10], 'b.json': [5, 20], 'c.json': [3600, 3601] };
    await withOrganization(api.database, ada.user.organizationId, async (trx) => {
      for (const [name, [from, to]] of Object.entries(runs))
        await sql`update batch_attempt a set started_at = to_timestamp(${from}), ended_at = to_timestamp(${to})
          from batch_file f where f.id = a.batch_file_id and f.batch_id = ${id} and f.name = ${name}`.execute(
          trx,
        );
    });
    expect(await get(id)).toMatchObject({ status: 'finished', processingSeconds: 21 });
    await add(id, 'd.json');
    expect(await get(id)).not.toHaveProperty('processingSeconds');
  });

  it.each(['close', 'cancel'] as const)('that ends empty by %s is not in the list', async (end) => {
    const [empty, waiting, full] = [await create({ files: 2 }), await create({ files: 2 }), await create()];
    await change(empty, end);
    await add(full, 'a.json');
    await change(full, end);
    const { batches, total } = (await ada.get('/api/batches')).json<{ batches: Batch[]; total: number }>();
    expect([total, ...batches.map(({ _id }) => _id)]).toEqual([2, full, waiting]);
    expect((await get(empty)).files).toBe(0);
  });

  it('counts a file name once: a second file of the name replaces the first', async () => {
    const id = await create();
    await read(await add(id, 'a.json'), { failed: 1 });
    expect((await get(id)).states).toEqual({ ...none, withIssues: 1 });
    const fileId = await add(id, 'A.json', bundle('other'));
    expect(await get(id)).toMatchObject({ files: 1, issues: 0, created: 0, states: { ...none, queued: 1 } });
    await add(id, 'a.json', bundle('third'));
    await read(fileId);
    expect(await get(id)).toMatchObject({ files: 1, created: 2, states: { ...none, succeeded: 1 } });
    expect(await get(id)).toMatchObject((await recount(id)) as object);
  });

  it('keeps the outcome of a file that another batch replaces or that is deleted', async () => {
    const [first, second] = [await create(), await create()];
    const done = await add(first, 'done.json');
    await read(done);
    await add(first, 'waiting.json');
    const deleted = await add(first, 'deleted.json');
    await add(second, 'done.json', bundle('new'));
    await add(second, 'waiting.json', bundle('new'));
    await ada.delete(`/api/reports/files/${deleted}`);
    expect(await get(first)).toMatchObject({
      files: 3,
      created: 2,
      states: { ...none, succeeded: 1, cancelled: 2 },
    });
    expect(await get(second)).toMatchObject({ files: 2, states: { ...none, queued: 2 } });
    const files = await filesOf(first, 'sort=name');
    expect(files.map(({ name, report }) => [name, report])).toEqual([
      ['deleted.json', 'deleted'],
      ['done.json', 'replaced'],
      ['waiting.json', 'replaced'],
    ]);
  });

  it('records refused files as failed, with the message and without a report', async () => {
    const id = await create({ files: 2 });
    const answer = await ada.upload({ name: 'notes.txt', content: 'x' }, `?batch=${id}`);
    expect(answer.statusCode).toBe(415);
    expect((await ada.upload({ name: 'cats.json', content: 'meow' }, `?batch=${id}`)).statusCode).toBe(422);
    expect(await get(id)).toMatchObject({
      status: 'finished',
      files: 2,
      states: { ...none, failed: 2 },
      retriable: 0,
    });
    const files = await filesOf(id, 'sort=name');
    expect(files.map(({ name, report, fileId }) => [name, report, fileId])).toEqual([
      ['cats.json', 'refused', null],
      ['notes.txt', 'refused', null],
    ]);
    expect(files[1]?.message).toContain('Only .json and .xml files are accepted');
    expect((await change(id, 'retry')).statusCode).toBe(409);
    await add(id, 'cats.json');
    expect((await get(id)).states).toEqual({ ...none, failed: 1, queued: 1 });
  });
});

describe('retrying a batch', () => {
  it('queues only failed files: a failed reading with its extraction, a failed extraction alone', async () => {
    const id = await create();
    const [a, b, c] = [await add(id, 'a.json'), await add(id, 'b.json'), await add(id, 'c.json')];
    await read(a);
    await job(b, 'parse', start);
    await job(b, 'parse', fail);
    await job(b, 'extract', fail);
    await job(c, 'parse', start);
    await job(c, 'parse', succeed({ objects: 1, failed: 0, warnings: 0 }));
    await job(c, 'extract', start);
    await job(c, 'extract', fail);
    expect(await get(id)).toMatchObject({ states: { ...none, succeeded: 1, failed: 2 }, retriable: 2 });
    api.producer.enqueued.length = 0;
    const answer = await change(id, 'retry');
    expect(answer.json()).toMatchObject({ retried: 2, batch: { status: 'running' } });
    expect(api.producer.enqueued.map(({ kind }) => kind).toSorted()).toEqual(['stix.extract', 'stix.parse']);
    expect((await get(id)).states).toEqual({ ...none, succeeded: 1, queued: 1, running: 1 });
    await read(b);
    await job(c, 'extract', start);
    await job(c, 'extract', succeed({ created: 1, updated: 0, unchanged: 0, skipped: 0 }));
    expect(await get(id)).toMatchObject({
      status: 'finished',
      created: 5,
      states: { ...none, succeeded: 3 },
    });
    const files = await filesOf(id, 'sort=name');
    expect(files[1]?.attempts.map(({ step, attempt, outcome }) => [step, attempt, outcome])).toEqual([
      ['read', 1, 'failed'],
      ['read', 2, 'succeeded'],
      ['extract', 1, 'succeeded'],
    ]);
    expect(files[1]?.attempts[0]?.message).toBe('Line 3 is not STIX.');
  });

  it('ends a cancelled batch with the files that it received, though more were announced', async () => {
    const id = await create({ files: 4 });
    const a = await add(id, 'a.json');
    await job(a, 'parse', start);
    await job(a, 'parse', fail);
    await job(a, 'extract', fail);
    await change(id, 'cancel');
    expect((await change(id, 'retry')).json()).toMatchObject({
      batch: { status: 'running', cancelledAt: null },
    });
    await read(a);
    expect(await get(id)).toMatchObject({ status: 'finished', files: 1, states: { ...none, succeeded: 1 } });
  });

  it('leaves out files that were replaced since', async () => {
    const id = await create();
    const a = await add(id, 'a.json');
    await job(a, 'parse', start);
    await job(a, 'parse', fail);
    expect((await get(id)).retriable).toBe(1);
    await ada.upload({ name: 'a.json', content: bundle('new') });
    expect((await change(id, 'retry')).statusCode).toBe(409);
    expect(await get(id)).toMatchObject({ states: { ...none, failed: 1 }, retriable: 0 });
  });
});

describe('cancelling a batch', () => {
  it('cancels the files that have not ended, and refuses further files', async () => {
    const id = await create({ files: 4 });
    await read(await add(id, 'a.json'));
    const running = await add(id, 'b.json');
    await job(running, 'parse', start);
    await add(id, 'c.json');
    expect((await change(id, 'cancel')).json()).toMatchObject({
      status: 'cancelled',
      states: { ...none, succeeded: 1, cancelled: 2 },
    });
    const late = await ada.upload({ name: 'd.json', content: bundle('d') }, `?batch=${id}`);
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({ message: 'The batch was cancelled.' });
    expect(await get(id)).toMatchObject({ files: 3, states: { ...none, succeeded: 1, cancelled: 2 } });
    const [file] = await filesOf(id, 'search=b.json');
    expect(file?.attempts).toMatchObject([{ step: 'read', outcome: 'cancelled' }]);
  });

  it('leaves a finished batch as it is', async () => {
    const id = await create({ files: 1 });
    await read(await add(id, 'a.json'));
    expect((await change(id, 'cancel')).json()).toMatchObject({ status: 'finished', cancelledAt: null });
  });
});

describe('pausing a batch', () => {
  it('is shown, can be repeated, and resuming enqueues the jobs that may start', async () => {
    const id = await create();
    await add(id, 'a.json');
    expect((await change(id, 'pause')).json()).toMatchObject({ status: 'paused' });
    expect((await change(id, 'pause')).statusCode).toBe(200);
    expect(await filesOf(id)).toMatchObject([{ name: 'a.json', state: 'queued', held: true }]);
    const { jobs } = (await ada.get('/api/jobs')).json<{ jobs: Job[] }>();
    expect(jobs.map(({ kind, progress, version }) => [kind, progress.phase, version])).toEqual([
      ['stix.extract', 'waiting for the report to be read', 1],
      ['stix.parse', 'waiting for the batch to be resumed', 2],
    ]);
    await add(id, 'b.json');
    api.producer.enqueued.length = 0;
    expect((await change(id, 'resume')).json()).toMatchObject({ status: 'running', pausedAt: null });
    expect(api.producer.enqueued.map(({ kind }) => kind)).toEqual(['stix.parse', 'stix.parse']);
  });
});

it('the report over all files is exported as CSV', async () => {
  const id = await create({ name: 'May' });
  await read(await add(id, 'a.json'), { failed: 3 });
  await ada.upload({ name: 'cats.json', content: 'meow' }, `?batch=${id}`);
  const csv = await ada.get(
    `/api/batches/${id}/files/export?sort=name&columns=name,state,issues,objects,created,report`,
  );
  expect(csv.headers['content-disposition']).toContain('May - batch report.csv');
  expect(csvLines(csv.body)).toEqual([
    'File,Result,Issues,Objects,Created,Report',
    'a.json,withIssues,3,5,2,current',
    'cats.json,failed,0,0,0,refused',
  ]);
});

it('the report over all files is a page that prints, with escaped names, states in words, issues and durations', async () => {
  const id = await create({ name: 'May <b>' });
  const file = await add(id, 'a<script>.json');
  await read(file, { failed: 3 });
  await ada.upload({ name: 'cats.json', content: 'meow' }, `?batch=${id}`);
  const page = await ada.get(`/api/batches/${id}/report`);
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/u);
  const cells = page.body
    .split('</h2>')
    .at(-1)
    ?.split('<tr>')
    .slice(2)
    .map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gu)].map(([, text]) => text));
  expect(cells?.map((row) => row.slice(0, 4))).toEqual([
    ['a&lt;script&gt;.json', 'Succeeded with 3 issues', '3', 'Read 5 objects: 2 created, 1 updated.'],
    ['cats.json', 'Failed', '0', expect.stringContaining('STIX')],
  ]);
  expect(cells?.[0]?.slice(4)).toEqual([
    expect.stringMatching(/^\d+\.\d$/u),
    expect.stringMatching(/^\d+\.\d$/u),
    expect.stringMatching(/^\d+\.\d$/u),
  ]);
  expect(cells?.[1]?.slice(4)).toEqual(['N/A', 'N/A', 'N/A']);
  expect(page.body).toContain('Finished, 1 failed. Started ');
  expect(page.body).toContain('<h1>Batch report: May &lt;b&gt;</h1>');
  expect(page.body.trimEnd().endsWith('</html>')).toBe(true);
});

it('an estimate needs earlier files and grows with the number of files', async () => {
  const estimate = async (files: number) =>
    (await ada.get(`/api/batches/estimate?files=${files}&bytes=${files * 1000}`)).json<{
      seconds: number | null;
    }>();
  expect(await estimate(10)).toEqual({ seconds: null, basedOn: 0 });
  const id = await create();
  for (const name of ['a.json', 'b.json', 'c.json']) {
    const file = await add(id, name);
    await read(file);
    for (const kind of ['parse', 'extract'] as const)
      await job(file, kind, sql`started_at = created_at, finished_at = created_at + interval '2 seconds'`);
  }
  const [few, many] = [await estimate(10), await estimate(100)];
  expect(few.seconds).toBeGreaterThan(5);
  expect((many.seconds ?? 0) / (few.seconds ?? 1)).toBeCloseTo(10);
});

it('a file for an unknown batch, or one of another organization, is refused and not stored', async () => {
  const theirs = await create();
  ada = await signUp(api);
  for (const id of [strangeId(), theirs])
    expect((await ada.upload({ name: 'a.json', content: bundle() }, `?batch=${id}`)).statusCode).toBe(404);
  expect((await ada.get('/api/reports/files')).json()).toMatchObject({ total: 0 });
});
