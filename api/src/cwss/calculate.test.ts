import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorReply, Job } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { starterVignettes } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { makeRecords } from '../testing/make-records.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { makeVignette } from '../testing/vignettes.ts';

let api: TestApi;
let ada: Person;
let id: string;
let vignetteId: string;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  [id = ''] = await makeRecords(api, ada, { table: 'vulnerability', names: ['Open door'] });
  vignetteId = await makeVignette(api, ada);
});
afterAll(() => api.close());

const url = '/api/reports/vulnerability/calculateCwss';
const ask = (person: Person, body: object, prefer?: string): Promise<Answer> =>
  person.call({ method: 'POST', url, body, ...(prefer !== undefined && { headers: { prefer } }) });

const jobs = async (person = ada): Promise<Job[]> =>
  (await person.get('/api/jobs?kind=cwss.calculate')).json<{ jobs: Job[] }>().jobs;

/** Ends the next calculation as a worker does. */
const endNext = (ended: Parameters<ReturnType<typeof asWorker>['endNext']>[1]): Promise<void> =>
  asWorker(api, ada).endNext('cwss.calculate', ended);

const succeeded = (result: object) => ({ state: 'succeeded', result }) as const;
const counts = { matched: 1, changed: 1, unchanged: 0, skipped: [] };

describe('POST calculateCwss', () => {
  it('answers 202 with the job after 1.5 s when no worker runs, and the job waits', async () => {
    const before = performance.now();
    const answer = await ask(ada, { id, vignetteId });
    expect(answer.statusCode).toBe(202);
    // At most one pause of the poll less than 1.5 s.
    expect(performance.now() - before).toBeGreaterThan(1000);
    const { jobId, message } = answer.json<{ jobId: string; message: string }>();
    expect(message).toBe('Recalculation started');
    expect(answer.headers['location']).toBe(`/api/jobs/${jobId}`);
    expect(api.producer.enqueued.map((one) => one.id)).toContain(jobId);
    expect(await jobs()).toMatchObject([
      { _id: jobId, kind: 'cwss.calculate', state: 'queued', vulnerabilityId: id, createdBy: ada.user._id },
    ]);
    const { rows } = await asWorker(api, ada).inside((trx) =>
      sql<{ payload: object }>`select payload from job where id = ${jobId}`.execute(trx),
    );
    expect(rows[0]?.payload).toEqual({ vignetteId, ids: [id] });
  });

  it.each([
    ['by itself', undefined],
    ['with Prefer: wait', 'wait=20'],
  ])('answers 200 %s when the job ends in time', async (_how, prefer) => {
    const [answer] = await Promise.all([
      ask(ada, { id, vignetteId }, prefer),
      endNext(succeeded({ ...counts, cwssScore: 51.1 })),
    ]);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      vulnerability: { _id: id, name: 'Open door' },
      cwssScore: 51.1,
      message: 'Calculation applied',
    });
    expect(answer.headers['preference-applied']).toBe(prefer);
  });

  it.each<[string, Parameters<typeof endNext>[0], string]>([
    ['fails', { state: 'failed', error: 'The scorecard is empty.' }, 'The scorecard is empty.'],
    ['fails without a message', { state: 'failed' }, 'Calculation failed'],
    ['is cancelled', { state: 'cancelled' }, 'The calculation was cancelled.'],
    [
      'skips the vulnerability',
      succeeded({ ...counts, changed: 0, skipped: [{ reason: 'It is locked.', count: 1 }] }),
      'It is locked.',
    ],
  ])('answers 409 with the reason when the job %s in time', async (_what, change, message) => {
    const [answer] = await Promise.all([ask(ada, { id, vignetteId }, 'wait=20'), endNext(change)]);
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorReply>().message).toBe(message);
  });

  it('answers 404 when the vulnerability is deleted during the job', async () => {
    const end = async (): Promise<void> => {
      while ((await jobs()).length === 0) await sleep(10);
      await ada.delete(`/api/vulnerabilities/${id}`);
      await endNext(succeeded({ ...counts, matched: 0, changed: 0 }));
    };
    const [answer] = await Promise.all([ask(ada, { id, vignetteId }, 'wait=20'), end()]);
    expect(answer.statusCode).toBe(404);
    expect(answer.json<ErrorReply>().details).toEqual([
      { path: 'id', message: 'This vulnerability no longer exists.' },
    ]);
  });

  it('twice at once for one vulnerability and vignette queues one job', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => ask(ada, { id, vignetteId })));
    expect(answers.map((answer) => answer.statusCode)).toEqual([202, 202, 202]);
    expect(new Set(answers.map((answer) => answer.json<{ jobId: string }>().jobId)).size).toBe(1);
    expect(await jobs()).toHaveLength(1);
  });

  it('queues another job for another vignette, and while the first one runs', async () => {
    const other = await makeVignette(api, ada, { ...starterVignettes[1], name: 'Bank' });
    await Promise.all([ask(ada, { id, vignetteId }), ask(ada, { id, vignetteId: other })]);
    expect(await jobs()).toHaveLength(2);
    await asWorker(api, ada).inside((trx) => sql`update job set state = 'running'`.execute(trx));
    await ask(ada, { id, vignetteId });
    expect(await jobs()).toHaveLength(3);
  });

  it('queues a job for the first vignette again when one for another vignette is queued after it', async () => {
    const other = await makeVignette(api, ada, { ...starterVignettes[1], name: 'Bank' });
    const answers: ReturnType<typeof ask>[] = [];
    for (const [n, chosen] of [vignetteId, other, vignetteId].entries()) {
      answers.push(ask(ada, { id, vignetteId: chosen }));
      await vi.waitFor(async () => expect(await jobs()).toHaveLength(n + 1));
    }
    const jobIds = (await Promise.all(answers)).map((answer) => answer.json<{ jobId: string }>().jobId);
    expect(new Set(jobIds).size).toBe(3);
  });

  it('answers 404 to unknown ids and to those of another organization, without a difference and without a job', async () => {
    const eve = await signUp(api);
    const [theirs = ''] = await makeRecords(api, eve, { table: 'vulnerability', names: ['Theirs'] });
    const theirVignette = await makeVignette(api, eve);
    const answers = await Promise.all(
      [
        { id: strangeId(), vignetteId },
        { id, vignetteId: strangeId() },
        { id: theirs, vignetteId },
        { id, vignetteId: theirVignette },
        { id: theirs, vignetteId: theirVignette },
      ].map((body) => ask(ada, body)),
    );
    const bodies = answers.map((answer) => {
      const { requestId: _requestId, ...body } = answer.json<ErrorReply>();
      return body;
    });
    const [unknown, unknownVignette, ...ofOthers] = bodies;
    const messages = ['This vulnerability no longer exists.', 'This vignette no longer exists.'];
    expect(unknown).toMatchObject({ statusCode: 404, details: [{ path: 'id', message: messages[0] }] });
    expect(unknownVignette).toMatchObject({
      statusCode: 404,
      details: [{ path: 'vignetteId', message: messages[1] }],
    });
    expect(ofOthers).toEqual([unknown, unknownVignette, unknown]);
    expect([...(await jobs()), ...(await jobs(eve))]).toEqual([]);
  });

  it.each([
    [{ vignetteId: newId() }, 'id'],
    [{ id: newId() }, 'vignetteId'],
    [{ id: 'x', vignetteId: newId() }, 'id'],
    [{ id: newId(), vignetteId: 7 }, 'vignetteId'],
  ])('answers 422 to %j and names the field', async (body, path) => {
    const answer = await ask(ada, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details).toMatchObject([{ path }]);
  });
});

describe('POST calculateCwss/bulk', () => {
  const many = (body: object) => ada.post(`${url}/bulk`, body);
  const payloads = async (): Promise<unknown[]> => {
    const { rows } = await asWorker(api, ada).inside((trx) =>
      sql<{ payload: object }>`select payload from job where kind = 'cwss.calculate'`.execute(trx),
    );
    return rows.map(({ payload }) => payload);
  };

  it.each([
    ['ids', () => ({ ids: [id] })],
    ['a filter', () => ({ filter: { severity: ['critical'], search: 'door', cvssScoreMin: 7 } })],
    ['an empty filter, which selects all', () => ({ filter: {} })],
  ])('queues one job for %s', async (_what, selection) => {
    const answer = await many({ vignetteId, ...selection() });
    expect(answer.statusCode).toBe(202);
    const { jobId } = answer.json<{ jobId: string }>();
    expect(answer.headers['location']).toBe(`/api/jobs/${jobId}`);
    expect(await jobs()).toMatchObject([{ _id: jobId, state: 'queued', vulnerabilityId: null }]);
    const running = 'filter' in selection() && { runningTransactions: expect.any(Array) as unknown };
    expect(await payloads()).toEqual([{ vignetteId, ...selection(), ...running }]);
  });

  it('without a vignette queues a job that uses the vignette of each newest score', async () => {
    expect((await many({ ids: [id] })).statusCode).toBe(202);
    expect(await payloads()).toEqual([{ ids: [id] }]);
  });

  it.each([
    ['neither ids nor a filter', {}, 'ids'],
    ['both', { ids: [newId()], filter: {} }, 'ids'],
    ['an empty list of ids', { ids: [] }, 'ids'],
    ['a filter with a misspelt field', { filter: { severitty: ['high'] } }, 'filter.severitty'],
    ['an invalid value', { filter: { cvssScoreMin: 'x' } }, 'filter.cvssScoreMin'],
  ])('answers 422 to %s', async (_what, selection, path) => {
    const answer = await many({ vignetteId, ...selection });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.[0]?.path).toBe(path);
    expect(await jobs()).toEqual([]);
  });

  it("answers 404 to another organization's vignette", async () => {
    const theirs = await makeVignette(api, await signUp(api));
    expect((await many({ ids: [id], vignetteId: theirs })).statusCode).toBe(404);
    expect((await many({ ids: [id], vignetteId: strangeId() })).statusCode).toBe(404);
    expect(await jobs()).toEqual([]);
  });
});
