import { type Job, type JobKind, mostAtOnce, type ParseResult } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { makeRecords } from '../testing/make-records.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let worker: ReturnType<typeof asWorker>;
beforeAll(async () => {
  api = await startApi({ cweApiUrl: 'http://127.0.0.1:9' });
});
beforeEach(async () => {
  ada = await signUp(api);
  worker = asWorker(api, ada);
});
afterAll(() => api.close());

interface Request {
  method: 'POST' | 'PUT' | 'DELETE';
  url: string;
  body?: object;
}

const ask = (request: Request): Promise<Answer> => ada.call({ ...request, headers: { prefer: 'wait=20' } });

/** More threats than are deleted or changed in a request. */
const manyThreats = () =>
  makeRecords(api, ada, {
    table: 'threat',
    names: Array.from({ length: mostAtOnce + 1 }, (_, n) => `Threat ${n}`),
  });

const recomputed = { checked: 61, repaired: 0, differences: [], recounted: 0, snapshots: 1 };
const refreshed = { version: '4.18', previousVersion: '4.17', entries: 969 };
const scored = { matched: 3, changed: 2, unchanged: 1, skipped: [] };

interface Case {
  name: string;
  request: Request;
  kind: JobKind;
  result: object;
  reply: object;
  prepare?: () => Promise<unknown>;
}

const cases: Case[] = [
  {
    name: 'a recomputation',
    request: { method: 'POST', url: '/api/overview/recompute' },
    kind: 'metrics.recompute',
    result: recomputed,
    reply: { result: recomputed, message: '61 numbers checked, 0 repaired.' },
  },
  {
    name: 'a refresh of the catalogue',
    request: { method: 'POST', url: '/api/cwe/catalogue/refresh' },
    kind: 'cwe.refresh',
    result: refreshed,
    reply: { result: refreshed, message: 'Version 4.18 of the catalogue is in use.' },
  },
  {
    name: 'CWSS scores of several vulnerabilities',
    request: { method: 'POST', url: '/api/reports/vulnerability/calculateCwss/bulk', body: { filter: {} } },
    kind: 'cwss.calculate',
    result: scored,
    reply: { result: scored, message: '2 scores calculated.' },
  },
  {
    name: 'a deletion of many records',
    prepare: manyThreats,
    request: { method: 'DELETE', url: '/api/threats/bulk', body: { filter: {} } },
    kind: 'records.delete',
    result: { matched: 501, changed: 501, unchanged: 0 },
    reply: { success: true, deletedCount: 501, message: '501 threats were deleted.' },
  },
  {
    name: 'a change of many records',
    prepare: manyThreats,
    request: {
      method: 'PUT',
      url: '/api/threats/bulk',
      body: { filter: {}, change: { threatCategory: 'Theft' } },
    },
    kind: 'records.update',
    result: { matched: 501, changed: 500, unchanged: 1 },
    reply: { success: true, updatedCount: 500, unchangedCount: 1, message: '500 threats changed.' },
  },
];

describe('a call that starts a job, with Prefer: wait,', () => {
  it.each(cases)('answers with the result: $name', async ({ request, kind, result, reply, prepare }) => {
    await prepare?.();
    const [answer] = await Promise.all([ask(request), worker.endNext(kind, { state: 'succeeded', result })]);
    expect(answer.json()).toEqual(reply);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'preference-applied': 'wait=20' });
    expect(answer.headers['location']).toBeUndefined();
  });

  it('answers 409 with the reason when the job fails', async () => {
    const [answer] = await Promise.all([
      ask({ method: 'POST', url: '/api/cwe/catalogue/refresh' }),
      worker.endNext('cwe.refresh', { state: 'failed', error: 'MITRE did not answer.' }),
    ]);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ message: 'MITRE did not answer.' });
  });

  it('answers 202 when the job is cancelled', async () => {
    const [answer] = await Promise.all([
      ask({ method: 'POST', url: '/api/cwe/catalogue/refresh' }),
      worker.endNext('cwe.refresh', { state: 'cancelled' }),
    ]);
    expect(answer.statusCode).toBe(202);
    expect(answer.headers['location']).toBe(`/api/jobs/${answer.json<{ jobId: string }>().jobId}`);
  });

  it('answers with the result of a job that runs again', async () => {
    const uploaded = await ada.upload({ name: `${newId()}.json`, content: bundle() });
    const { _id: fileId, jobId } = uploaded.json<{ _id: string; jobId: string }>();
    await worker.endParse(fileId, 'failed');
    const result: ParseResult = {
      stixVersion: '2.1',
      wrapper: 'bundle',
      objects: 3,
      mapped: 3,
      unmapped: 0,
      failed: 0,
      vulnerabilityRecords: 1,
      threatRecords: 2,
      revoked: 0,
      deprecated: 0,
      superseded: 0,
      warnings: 0,
    };
    const [answer] = await Promise.all([
      ask({ method: 'POST', url: `/api/jobs/${jobId}/retry` }),
      worker.endNext('stix.parse', { state: 'succeeded', result }),
    ]);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ result, message: 'The job succeeded.' });
    expect((await ada.get(`/api/jobs/${jobId}`)).json<Job>()).toMatchObject({ state: 'succeeded' });
  });
});
