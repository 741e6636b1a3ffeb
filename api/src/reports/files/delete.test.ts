import { setTimeout as sleep } from 'node:timers/promises';
import { objectsWithoutRecord, sessionLimits } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { asWorker } from '../../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../../testing/person.ts';
import { bundle } from '../../testing/report.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let worker: ReturnType<typeof asWorker>;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  worker = asWorker(api, ada);
});
afterAll(() => api.close());

/** An uploaded, read and extracted report that asserts these vulnerabilities and one threat of its own. */
async function asserting(name: string, keys: string[]): Promise<string> {
  const { _id } = (await ada.upload({ name, content: bundle(name) })).json<{ _id: string }>();
  const threat = { key: `threat of ${name}`, kind: 'threat' as const };
  await worker.read(_id, { records: [...keys.map((key) => ({ key })), threat] });
  await worker.extract(_id);
  return _id;
}

const vulnerabilities = async () =>
  (await ada.get('/api/vulnerabilities?sort=name'))
    .json<{ vulnerabilities: { name: string; sourceFile: string }[] }>()
    .vulnerabilities.map(({ name, sourceFile }) => `${name} of ${sourceFile}`);
const threatNames = async () =>
  (await ada.get('/api/threats?sort=name'))
    .json<{ threats: { name: string }[] }>()
    .threats.map((threat) => threat.name);
const edit = (name: string, set: ReturnType<typeof sql>) =>
  worker.inside((trx) => sql`update vulnerability set ${set} where name = ${name}`.execute(trx));

const leftovers = async () => {
  const { rows } = await worker.inside((trx) =>
    sql<Record<string, number>>`
      select (select count(*)::int from file_content) as contents, (select count(*)::int from file_chunk) as chunks,
        (select count(*)::int from report_record) as records, (select count(*)::int from ${sql.raw(objectsWithoutRecord)} object) as objects,
        (select count(*)::int from job) as jobs, (select count(*)::int from report_file) as files`.execute(
      trx,
    ),
  );
  return rows[0];
};
const nothing = { contents: 0, chunks: 0, records: 0, objects: 0, jobs: 0, files: 0 };

const recordIds = async (): Promise<string[]> => {
  const rows = await worker.inside((trx) => trx.selectFrom('vulnerability').select('id').execute());
  return rows.map(({ id }) => id).toSorted();
};

const sameIds = (expected: string[]) => (ids: string[]) => expected.join() === ids.toSorted().join();

describe('replacing a report', () => {
  it('keeps its records until the new content has been read', async () => {
    await asserting('other.json', ['A']);
    await asserting('only.json', ['A', 'B']);
    const before = api.relay.published.length;
    await ada.upload({ name: 'only.json', content: bundle('changed') });
    expect(await vulnerabilities()).toEqual(['A of only.json', 'B of only.json']);
    const events = api.relay.published.slice(before).map(({ message }) => message);
    expect(events).not.toContainEqual(expect.objectContaining({ type: 'vulnerability.changed' }));
  });
});

describe('deleting a report', () => {
  it('removes exactly the records that only it asserted', async () => {
    const first = await asserting('first.json', ['A', 'B']);
    await asserting('second.json', ['B', 'C']);
    const answer = await ada.delete(`/api/reports/files/${first}`);
    expect(answer.json()).toEqual({ success: true, _id: first, id: first });
    expect(await vulnerabilities()).toEqual(['B of second.json', 'C of second.json']);
    expect(await threatNames()).toEqual(['threat of second.json']);
    expect((await ada.get(`/api/reports/files/${first}`)).statusCode).toBe(404);
  });

  it('gives the remaining records the name of their newest remaining file', async () => {
    await asserting('first.json', ['A']);
    const second = await asserting('second.json', ['A']);
    expect(await vulnerabilities()).toEqual(['A of second.json']);
    await ada.delete(`/api/reports/files/${second}`);
    expect(await vulnerabilities()).toEqual(['A of first.json']);
  });

  it('keeps records that a user created or edited', async () => {
    const only = await asserting('only.json', ['edited', 'made', 'untouched']);
    await edit('edited', sql`edited_fields = '{severity}'`);
    await edit('made', sql`created_by = ${ada.user._id}`);
    await ada.delete(`/api/reports/files/${only}`);
    expect(await vulnerabilities()).toEqual(['edited of ', 'made of ']);
  });

  it('leaves no bytes, records or jobs, and stops running jobs', async () => {
    const only = await asserting('only.json', ['A']);
    const replaced = (await ada.upload({ name: 'only.json', content: bundle('again') })).json<{
      jobId: string;
    }>();
    await ada.delete(`/api/reports/files/${only}`);
    expect(await leftovers()).toEqual(nothing);
    const topics = api.relay.published.map(({ topic }) => topic);
    expect(topics).toContain(`job.${replaced.jobId}.cancelled`);
  });

  it('publishes the file and its records with their ids, and logs the user', async () => {
    const only = await asserting('only.json', ['A', 'B']);
    const ids = await recordIds();
    await ada.delete(`/api/reports/files/${only}`);
    const events = api.relay.published
      .filter(({ topic }) => topic.startsWith(`org.${ada.user.organizationId}.`))
      .map(({ message }) => message);
    const by = ada.user._id;
    expect(events).toContainEqual({ type: 'file.changed', action: 'deleted', ids: [only], count: 1, by });
    const records = { type: 'vulnerability.changed', action: 'deleted', count: 2, by };
    expect(events).toContainEqual({ ...records, ids: expect.toSatisfy(sameIds(ids)) as unknown });
    const { rows } = await worker.inside((trx) =>
      sql`select account_id, action, noun_id, name, detail from activity order by at desc limit 1`.execute(
        trx,
      ),
    );
    expect(rows).toEqual([
      {
        account_id: by,
        action: 'report.deleted',
        noun_id: only,
        name: 'only.json',
        detail: { vulnerability: 2, threat: 1 },
      },
    ]);
  });
});

describe('while an extraction holds the report for longer than the lock timeout of the api', () => {
  const isStopped = (jobId: string) =>
    api.relay.published.some(({ topic }) => topic === `job.${jobId}.cancelled`);

  /** Locks the report as an extraction does, until its batch ends some time after its run is stopped. */
  async function runExtraction(fileId: string): Promise<{ stopped: Promise<void> }> {
    const { jobId } = (await ada.post('/api/reports/extract-threat', { id: fileId })).json<{
      jobId: string;
    }>();
    await worker.inside((trx) =>
      sql`update job set state = 'running', attempt = 1, tries = 1, started_at = now() where id = ${jobId}`.execute(
        trx,
      ),
    );
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const stopped = worker.inside(async (trx) => {
      await sql`select from report_file where id = ${fileId} for key share`.execute(trx);
      start();
      await vi.waitFor(() => expect(isStopped(jobId)).toBe(true));
      await sleep(sessionLimits.api.lockMs + 500);
    });
    await started;
    return { stopped };
  }

  it(
    'a deletion cancels the extraction, waits for it to stop and succeeds',
    { timeout: 30_000 },
    async () => {
      const only = await asserting('only.json', ['A']);
      const { stopped } = await runExtraction(only);
      const answer = await ada.delete(`/api/reports/files/${only}`);
      await stopped;
      expect(answer.statusCode).toBe(200);
      expect(await leftovers()).toEqual(nothing);
    },
  );

  it(
    'a replacement cancels the extraction, waits for it to stop and succeeds',
    { timeout: 30_000 },
    async () => {
      const only = await asserting('only.json', ['A']);
      const { stopped } = await runExtraction(only);
      const answer = await ada.upload({ name: 'ONLY.json', content: bundle('changed') });
      await stopped;
      expect(answer.json()).toMatchObject({ action: 'replaced', _id: only });
      expect(await vulnerabilities()).toEqual(['A of ONLY.json']);
    },
  );
});

describe('deleting several reports', () => {
  it('counts existing reports and ignores unknown ids', async () => {
    const ids = [await asserting('a.json', ['A']), await asserting('b.json', ['A', 'B'])];
    const answer = await ada.delete('/api/reports/files/bulk', { ids: [...ids, crypto.randomUUID()] });
    expect(answer.json()).toEqual({ success: true, deletedCount: 2, message: '2 files were removed.' });
    expect(await vulnerabilities()).toEqual([]);
    expect(await leftovers()).toEqual(nothing);
  });

  it.each([
    ['more than a hundred', 101, 1],
    ['a few with more than 100,000 objects', 3, 40_000],
  ])('runs as a job for %s', async (_what, files, objects) => {
    const first = await asserting('first.json', ['A']);
    await worker.inside((trx) =>
      sql`with made as (
          insert into report_file (organization_id, id, name, content_id, media, size, sha256, parse_job_id, object_count)
          select organization_id, gen_random_uuid(), 'No. ' || n, content_id, media, size, sha256, parse_job_id, ${objects}::int
          from report_file, generate_series(2, ${files}::int) n where id = ${first}
        ) update report_file set object_count = ${objects} where id = ${first}`.execute(trx),
    );
    const list = await ada.get('/api/reports/files?pageSize=500');
    const ids = list.json<{ files: { _id: string }[] }>().files.map((file) => file._id);
    expect(ids).toHaveLength(files);
    const answer = await ada.delete('/api/reports/files/bulk', { ids });
    expect(answer.statusCode).toBe(202);
    const { jobId } = answer.json<{ jobId: string }>();
    const job = await worker.inside((trx) =>
      trx.selectFrom('job').select(['kind', 'payload']).where('id', '=', jobId).executeTakeFirstOrThrow(),
    );
    expect(job).toEqual({ kind: 'records.delete', payload: { noun: 'reports', ids } });
    expect(await leftovers()).toMatchObject({ files });
  });

  it('runs as a job for one report with more than 100,000 objects', async () => {
    const id = await asserting('large.json', ['A']);
    await worker.inside((trx) =>
      sql`update report_file set object_count = 100001 where id = ${id}`.execute(trx),
    );
    const answer = await ada.delete(`/api/reports/files/${id}`);
    expect(answer.statusCode).toBe(202);
    const { jobId, message } = answer.json<{ jobId: string; message: string }>();
    expect([answer.headers['location'], message]).toEqual([
      `/api/jobs/${jobId}`,
      'Deleting the file in the background.',
    ]);
    const job = await worker.inside((trx) =>
      trx.selectFrom('job').select(['kind', 'payload']).where('id', '=', jobId).executeTakeFirstOrThrow(),
    );
    expect(job).toEqual({ kind: 'records.delete', payload: { noun: 'reports', ids: [id] } });
    expect((await ada.delete(`/api/reports/files/${crypto.randomUUID()}`)).statusCode).toBe(404);
  });

  it('needs at least one and at most a thousand', async () => {
    for (const ids of [[], Array.from({ length: 1001 }, () => crypto.randomUUID())])
      expect((await ada.delete('/api/reports/files/bulk', { ids })).statusCode).toBe(422);
  });

  it('in overlapping selections at once does not deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b, c, d] = await Promise.all(
        ['a', 'b', 'c', 'd'].map((name) => asserting(`${name}-${round}.json`, ['A', 'B', 'C'])),
      );
      const answers = await Promise.all([
        ada.delete('/api/reports/files/bulk', { ids: [a, b] }),
        ada.delete('/api/reports/files/bulk', { ids: [d, c, b] }),
        ada.delete(`/api/reports/files/${c}`),
      ]);
      for (const answer of answers) expect([200, 404]).toContain(answer.statusCode);
      expect(await leftovers()).toEqual(nothing);
    }
  });

  it('concurrently, one report each, leaves no record without a report', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ids = await Promise.all(
        ['a', 'b', 'c', 'd'].map((name) => asserting(`${name}-${round}.json`, ['A', 'B', 'C'])),
      );
      await Promise.all(ids.map((id) => ada.delete(`/api/reports/files/${id}`)));
      expect(await vulnerabilities()).toEqual([]);
    }
  });
});
