import type { Job } from '@riskboard/contract';
import { requestRecompute, withOrganization } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
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

const listed = async () => (await ada.get('/api/jobs')).json<{ jobs: Job[]; total: number }>();
const requestAutomatically = () =>
  withOrganization(api.database, ada.user.organizationId, (trx) => requestRecompute(trx, null));

it('a recomputation is accepted as a job, and a second request while it waits is answered with the same job', async () => {
  const answer = await ada.post('/api/overview/recompute');
  expect(answer.statusCode).toBe(202);
  const { jobId } = answer.json<{ jobId: string }>();
  expect(answer.headers['location']).toBe(`/api/jobs/${jobId}`);
  expect((await ada.post('/api/overview/recompute')).json()).toMatchObject({ jobId });
  const { jobs } = await listed();
  expect(jobs).toMatchObject([
    { _id: jobId, kind: 'metrics.recompute', state: 'queued', createdBy: ada.user._id },
  ]);
});

it('an automatic recomputation is not in the list of jobs until a person requests it too', async () => {
  const { id } = await requestAutomatically();
  expect(await listed()).toMatchObject({ jobs: [], total: 0 });
  expect((await ada.post('/api/overview/recompute')).json()).toMatchObject({ jobId: id });
  expect((await listed()).jobs).toMatchObject([{ _id: id, createdBy: ada.user._id }]);
});

it('an automatic recomputation that failed is in the list of jobs', async () => {
  const { id } = await requestAutomatically();
  await withOrganization(api.database, ada.user.organizationId, (trx) =>
    trx.updateTable('job').set({ state: 'failed', error_code: 'internal', error_message: 'x' }).execute(),
  );
  expect((await listed()).jobs.map((job) => job._id)).toEqual([id]);
});

it('a recomputation that was cancelled while it waited can be retried while another one waits', async () => {
  const { jobId } = (await ada.post('/api/overview/recompute')).json<{ jobId: string }>();
  expect((await ada.post(`/api/jobs/${jobId}/cancel`)).statusCode).toBe(200);
  const other = (await ada.post('/api/overview/recompute')).json<{ jobId: string }>();
  expect(other.jobId).not.toBe(jobId);
  expect((await ada.post(`/api/jobs/${jobId}/retry`)).statusCode).toBe(202);
});

it('viewers may not request a recomputation', async () => {
  await ada.becomes('viewer');
  expect((await ada.post('/api/overview/recompute')).statusCode).toBe(403);
});
