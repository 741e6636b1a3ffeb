import type { ErrorReply, ExtractResult, Job } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let worker: ReturnType<typeof asWorker>;
let fileId: string;
let parseId: string;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  worker = asWorker(api, ada);
  const uploaded = await ada.upload({ name: 'report.json', content: bundle() });
  ({ _id: fileId, jobId: parseId } = uploaded.json<{ _id: string; jobId: string }>());
});
afterAll(() => api.close());

const result: ExtractResult = {
  kinds: ['vulnerabilities'],
  records: 3,
  created: 2,
  updated: 1,
  unchanged: 0,
  skipped: 0,
  byKind: { vulnerabilities: { created: 2, updated: 1, unchanged: 0, skipped: 0 } },
  createdIds: [],
  issues: [],
};

const ask = (path: string, prefer?: string): Promise<Answer> =>
  ada.call({
    method: 'POST',
    url: `/api/reports/${path}`,
    body: { id: fileId },
    headers: prefer === undefined ? {} : { prefer },
  });

describe('an extraction', () => {
  it.each([
    ['extract-vulnerability', ['vulnerabilities']],
    ['extract-threat', ['threats']],
    ['extract', ['vulnerabilities', 'threats']],
  ])('by %s is accepted, and its job is where Location says', async (path, kinds) => {
    await worker.read(fileId, {});
    const answer = await ask(path);
    expect(answer.statusCode).toBe(202);
    const { jobId } = answer.json<{ jobId: string }>();
    expect(answer.headers['location']).toBe(`/api/jobs/${jobId}`);
    expect(api.producer.enqueued.map((message) => message.id)).toContain(jobId);
    expect((await ada.get(`/api/jobs/${jobId}`)).json()).toMatchObject({ fileId, fileName: 'report.json' });
    const { rows } = await worker.inside((trx) =>
      sql<{ payload: unknown }>`select payload from job where id = ${jobId}`.execute(trx),
    );
    expect(rows[0]?.payload).toEqual({ fileId, kinds });
  });

  it.each(['respond-async, wait=10', 'Wait=10'])(
    'requested with Prefer: %s answers with the result when it ends in time',
    async (prefer) => {
      await worker.read(fileId, {});
      const [answer] = await Promise.all([
        ask('extract-vulnerability', prefer),
        worker.endNext('stix.extract', { state: 'succeeded', result }),
      ]);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['preference-applied']).toBe('wait=10');
      expect(answer.json()).toEqual({
        result,
        message: 'Vulnerabilities extracted: 2 were extracted from the file.',
      });
    },
  );

  it('that does not end in time is 202 after that time', async () => {
    await worker.read(fileId, {});
    const before = performance.now();
    expect((await ask('extract-threat', 'wait=1')).statusCode).toBe(202);
    const took = performance.now() - before;
    expect(took).toBeGreaterThan(700);
  });

  it('that fails during the wait answers 409 with the reason', async () => {
    await worker.read(fileId, {});
    const [answer] = await Promise.all([
      ask('extract-vulnerability', 'wait=10'),
      worker.endNext('stix.extract', { state: 'failed', error: 'It broke.' }),
    ]);
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorReply>().message).toBe('It broke.');
  });

  it.each(['wait=abc', 'wait=-1', 'await=5', ''])('ignores Prefer: %s', async (prefer) => {
    await worker.read(fileId, {});
    const before = performance.now();
    expect((await ask('extract-threat', prefer)).statusCode).toBe(202);
    // Without a wait it answers in milliseconds; a misread header would wait for at least five seconds.
    expect(performance.now() - before).toBeLessThan(4000);
  });

  it('of a report that is still being read waits for the parse', async () => {
    const before = api.producer.enqueued.length;
    const { jobId } = (await ask('extract')).json<{ jobId: string }>();
    expect(api.producer.enqueued).toHaveLength(before);
    expect((await ada.get(`/api/jobs/${jobId}`)).json<Job>()).toMatchObject({
      state: 'queued',
      progress: { phase: 'waiting for the report to be read' },
    });
    const { rows } = await worker.inside((trx) =>
      sql<{ waits_for: string }>`select waits_for from job where id = ${jobId}`.execute(trx),
    );
    expect(rows[0]?.waits_for).toBe(parseId);
  });

  it.each([
    ['extract-vulnerability', 'Failed to request extraction'],
    ['extract-threat', 'Failed to request threat extraction'],
  ])('by %s of a report that could not be read is 409 and says why', async (path, fallback) => {
    await worker.endParse(fileId, 'failed');
    const answer = await ask(path);
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorReply>().message).toBe(
      `${fallback}: the report could not be read. Line 3 is not STIX.`,
    );
    expect((await ada.get('/api/jobs?kind=stix.extract')).json()).toMatchObject({ total: 0 });
  });

  it('of kinds that do not exist, or none, is 422', async () => {
    for (const kinds of [[], ['cats'], 'threats'])
      expect((await ada.post('/api/reports/extract', { id: fileId, kinds })).statusCode).toBe(422);
  });
});
