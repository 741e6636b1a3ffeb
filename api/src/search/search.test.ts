import type { ErrorReply, Reply, search } from '@riskboard/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAsset, makeProject, makeRecords } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  for (const person of [ada, await signUp(api)]) {
    const { _id } = await makeProject(person, { name: 'Payment' });
    await makeAsset(person, _id, { name: 'Payment server' });
    const table = 'vulnerability';
    await makeRecords(api, person, { table, names: ['Payment bypass'], columns: { cwe: ['CWE-79'] } });
    const names = ['T1059 in payments', 'Shells'];
    await makeRecords(api, person, { table: 'threat', names, columns: { threat_id: 'T1059' } });
    await person.upload({ name: 'payment.json', content: bundle() });
  }
});
afterAll(() => api.close());

type Groups = Reply<typeof search.everywhere>['groups'];
const find = async (q: string): Promise<Groups> =>
  (await ada.get(`/api/search?q=${encodeURIComponent(q)}`)).json<{ groups: Groups }>().groups;

it('groups the records of this organization by noun, the group with the best match first', async () => {
  const groups = await find('payment');
  expect(groups.map(({ noun, total, items }) => [noun, total, items.map(({ title }) => title)])).toEqual([
    ['projects', 1, ['Payment']],
    ['vulnerabilities', 1, ['Payment bypass']],
    ['assets', 1, ['Payment server']],
    ['reports', 1, ['payment.json']],
    ['threats', 1, ['T1059 in payments']],
  ]);
});

it('finds a record by its id', async () => {
  const [group, ...others] = await find('cwe 79');
  expect([group?.noun, group?.total, others]).toEqual(['vulnerabilities', 1, []]);
  const { _id, title, subtitle } = group?.items[0] ?? {};
  expect([title, subtitle]).toEqual(['Payment bypass', 'CWE-79']);
  expect((await ada.get(`/api/vulnerabilities/${_id}`)).statusCode).toBe(200);
  expect((await find('1059')).map(({ noun, total }) => [noun, total])).toEqual([['threats', 2]]);
});

it.each([
  ['cwe-79', 'vulnerabilities', 1],
  ['T1059', 'threats', 2],
])(
  'counts for "%s" the records that the list of %s has under the filter of the reply',
  async (q, noun, total) => {
    const { byId } = (await find(q)).find((group) => group.noun === noun) ?? {};
    const list = await ada.get(`/api/${noun}?${byId?.field}=${byId?.values.join()}`);
    expect([byId?.total, list.json<{ total: number }>().total]).toEqual([total, total]);
  },
);

it('returns no groups without a match, and refuses a blank search', async () => {
  expect(await find('no such thing')).toEqual([]);
  for (const q of ['', '%20%20', 'x'.repeat(201)]) {
    const answer = await ada.get(`/api/search?q=${q}`);
    expect([answer.statusCode, answer.json<ErrorReply>().details?.[0]?.path]).toEqual([422, 'q']);
  }
  expect((await ada.get('/api/search?q=a%00b')).statusCode).toBe(422);
});
