import type { ActivityEntry, Job } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
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

const upload = async (content = bundle(), query = '') =>
  (await ada.upload({ name: 'a.json', content }, query)).json<{ _id: string; jobId: string }>();

/** Log entries about reports and jobs, oldest first. */
const log = async (): Promise<ActivityEntry[]> =>
  (await ada.get('/api/activity?noun=reports&noun=jobs&sort=at')).json<{ activity: ActivityEntry[] }>()
    .activity;
const actions = async () => (await log()).map(({ action }) => action);

it('an upload is recorded with its person and file, and a replaced name as replaced', async () => {
  const { _id } = await upload(bundle('one'), '?extract=threats');
  await upload(bundle('two'));
  const by = {
    actor: `Ada <${ada.user.email}>`,
    actorId: ada.user._id,
    via: 'session',
    address: expect.stringMatching(/^10\./u),
    noun: 'reports',
    nounId: _id,
    name: 'a.json',
  };
  const facts = {
    size: Buffer.byteLength(bundle('one')),
    sha256: expect.stringMatching(/^[\da-f]{64}$/u),
  };
  expect(await log()).toMatchObject([
    { ...by, action: 'report.uploaded', detail: { ...facts, extract: ['threats'] } },
    { ...by, action: 'report.replaced', detail: { ...facts, extract: [] } },
  ]);
});

it('a download is recorded with its format, a missing file is not', async () => {
  const { _id } = await upload();
  await asWorker(api, ada).read(_id, {});
  const taken = ['', '/raw', '/import-report/export?format=csv'].map(
    (part) => `/api/reports/files/${_id}${part}`,
  );
  for (const url of taken) expect([url, (await ada.get(url)).statusCode]).toEqual([url, 200]);
  expect((await ada.get(`/api/reports/files/${strangeId()}/raw`)).statusCode).toBe(404);
  const downloads = (await log()).filter(({ action }) => action === 'report.downloaded');
  expect(downloads.map(({ nounId, name, detail }) => [nounId, name, detail])).toEqual([
    [_id, 'a.json', { form: 'json' }],
    [_id, 'a.json', { form: 'original' }],
    [_id, 'a.json', { form: 'import report' }],
  ]);
});

it('a request to extract is recorded with its options', async () => {
  const { _id } = await upload();
  await asWorker(api, ada).read(_id, {});
  await ada.post('/api/reports/extract', { id: _id, kinds: ['vulnerabilities', 'threats'] });
  expect((await log()).at(-1)).toMatchObject({
    action: 'report.extraction-requested',
    nounId: _id,
    name: 'a.json',
    detail: { kinds: ['vulnerabilities', 'threats'] },
  });
});

it('a refused request to extract is not recorded', async () => {
  const { _id } = await upload();
  await asWorker(api, ada).endParse(_id, 'failed');
  expect((await ada.post('/api/reports/extract', { id: _id, kinds: ['threats'] })).statusCode).toBe(409);
  expect(await actions()).toEqual(['report.uploaded']);
});

it('cancelling and retrying a job are recorded once each, with the kind of job', async () => {
  const { jobId } = await upload(bundle(), '?extract=threats');
  for (const verb of ['cancel', 'cancel', 'retry', 'retry']) await ada.post(`/api/jobs/${jobId}/${verb}`);
  const by = { noun: 'jobs', nounId: jobId, name: 'a.json', detail: { kind: 'stix.parse' } };
  expect((await log()).slice(1)).toMatchObject([
    { ...by, action: 'job.cancelled' },
    { ...by, action: 'job.retried' },
  ]);
});

it('cancelling a finished job is not recorded', async () => {
  const { jobId } = await upload();
  await asWorker(api, ada).inside((trx) =>
    sql`update job set state = 'succeeded', finished_at = now() where id = ${jobId}`.execute(trx),
  );
  expect((await ada.post(`/api/jobs/${jobId}/cancel`)).json<Job>().state).toBe('succeeded');
  expect(await actions()).toEqual(['report.uploaded']);
});

it('a bulk deletion is recorded with the name of each record', async () => {
  const { _id } = await upload();
  const other = (await ada.upload({ name: 'b.json', content: bundle('b') })).json<{ _id: string }>();
  await ada.delete('/api/reports/files/bulk', { ids: [_id, other._id, strangeId()] });
  const deleted = (await log()).filter(({ action }) => action === 'report.deleted');
  expect(Object.fromEntries(deleted.map(({ nounId, name }) => [nounId, name]))).toEqual({
    [_id]: 'a.json',
    [other._id]: 'b.json',
  });
  expect(deleted).toHaveLength(2);
});
