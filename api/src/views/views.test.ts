import type { ErrorReply, SavedView } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { put } from '../testing/make-records.ts';
import { bySession, makeMember } from '../testing/accounts/member.ts';
import { type Person, signUp, visitor } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
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

const list = '/dashboard/reports/vulnerabilities';
const view = { list, name: 'Critical ones', search: { severity: ['critical'], sort: '-cvssScore' } };

async function save(person: Person, fields: object = {}): Promise<SavedView> {
  const answer = await person.post('/api/views', { ...view, ...fields });
  expect(answer.statusCode).toBe(201);
  return answer.json<SavedView>();
}
const read = async (person: Person, query = '', of = list): Promise<SavedView[]> =>
  (await person.get(`/api/views?list=${encodeURIComponent(of)}${query}`)).json<{ views: SavedView[] }>()
    .views;
const defaults = async (of = list): Promise<string[]> =>
  (await read(ada, '', of)).filter(({ isDefault }) => isDefault).map(({ name }) => name);

/** Another member of Ada's organization. */
async function colleague(role: 'viewer' | 'analyst' = 'analyst'): Promise<Person> {
  const member = await makeMember(api, ada.user.organizationId, role);
  const { headers } = await bySession(api, member);
  const person = visitor(api);
  person.cookies.set('rb_session', headers['cookie']?.split('=')[1] ?? '');
  return person;
}

describe('a view', () => {
  it('is returned as it was saved', async () => {
    const saved = await save(ada);
    expect(saved).toMatchObject({ ...view, isDefault: false, own: true, owner: 'Ada' });
    expect(await read(ada)).toEqual([saved]);
    expect(await read(ada, '', '/dashboard/threats')).toEqual([]);
  });

  it('can be saved by a viewer', async () => {
    const reader = await colleague('viewer');
    expect(await read(reader)).toEqual([]);
    const saved = await save(reader);
    expect(await read(reader)).toEqual([saved]);
  });

  it('is changed in part, and deleted', async () => {
    const saved = await save(ada);
    const renamed = await put(ada, `/api/views/${saved._id}`, { name: 'Worst first' });
    expect(renamed.json()).toEqual({ ...saved, name: 'Worst first' });
    const search = { status: ['open'] };
    expect((await put(ada, `/api/views/${saved._id}`, { search })).json()).toMatchObject({
      name: 'Worst first',
      search,
    });
    expect((await put(ada, `/api/views/${saved._id}`, {})).json()).toMatchObject({ search });
    expect((await ada.delete(`/api/views/${saved._id}`)).json()).toEqual({
      success: true,
      _id: saved._id,
      id: saved._id,
    });
    expect(await read(ada)).toEqual([]);
    expect((await ada.delete(`/api/views/${saved._id}`)).statusCode).toBe(404);
  });

  it('is restored under its id after its deletion, once', async () => {
    const saved = await save(ada, { isDefault: true });
    await ada.delete(`/api/views/${saved._id}`);
    const { _id, name, search, isDefault } = saved;
    const again = await Promise.all([1, 2].map(() => save(ada, { _id, name, search, isDefault })));
    expect(again.map((view) => view._id)).toEqual([_id, _id]);
    expect(await read(ada)).toEqual([{ ...saved, createdAt: again[0]?.createdAt }]);

    const reader = await colleague();
    expect(await read(reader, `&_id=${_id}`)).toMatchObject([{ _id, own: false }]);
    const taken = await reader.post('/api/views', { ...view, _id });
    expect([taken.statusCode, taken.json<ErrorReply>().message]).toEqual([409, 'Another view has this id.']);
    expect(await read(ada)).toMatchObject([{ _id, owner: 'Ada' }]);
  });

  it.each([
    ['_id', { _id: 'mine' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['list', { list: 'https://evil.example' }],
    ['list', { list: '/dashboard' }],
    ['list', { list: '/dashboard/threats/' }],
    ['list', { list: '/dashboard/reports/$fileId' }],
    ['search', { search: 'a=b' }],
    ['search', { search: { columns: 'x'.repeat(8000) } }],
    ['isDefault', { isDefault: 'yes' }],
  ])('is refused by %s: %j', async (path, fields) => {
    const answer = await ada.post('/api/views', { ...view, ...fields });
    expect([answer.statusCode, answer.json<ErrorReply>().details?.[0]?.path]).toEqual([422, path]);
  });

  it('is refused above a hundred per list', async () => {
    for (let n = 0; n < 100; n += 1) await save(ada, { name: `View ${n}` });
    const answer = await ada.post('/api/views', view);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().message).toBe('A list has at most 100 views. Delete one first.');
    await save(ada, { list: '/dashboard/threats' });
  });
});

describe('the default', () => {
  it('is one per list: setting one clears the other', async () => {
    const first = await save(ada, { name: 'first', isDefault: true });
    await save(ada, { name: 'elsewhere', list: '/dashboard/threats', isDefault: true });
    expect(await defaults()).toEqual(['first']);
    const second = await save(ada, { name: 'second', isDefault: true });
    expect(await defaults()).toEqual(['second']);
    await put(ada, `/api/views/${first._id}`, { isDefault: true });
    expect(await defaults()).toEqual(['first']);
    await put(ada, `/api/views/${first._id}`, { name: 'still first' });
    expect(await defaults()).toEqual(['still first']);
    await put(ada, `/api/views/${second._id}`, { isDefault: false });
    await put(ada, `/api/views/${first._id}`, { isDefault: false });
    expect(await defaults()).toEqual([]);
    expect(await defaults('/dashboard/threats')).toEqual(['elsewhere']);
  });

  it('is one also when two are set at the same time', async () => {
    const saved = [await save(ada, { name: 'a' }), await save(ada, { name: 'b' })];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        ...saved.map(({ _id }) => put(ada, `/api/views/${_id}`, { isDefault: true })),
        ada.post('/api/views', { ...view, name: `c${round}`, isDefault: true }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 201]);
      expect(await defaults()).toHaveLength(1);
    }
  });

  it('applies to its owner only', async () => {
    const other = await colleague();
    await save(other, { isDefault: true });
    const mine = await save(ada, { isDefault: true });
    expect(await defaults()).toEqual([mine.name]);
    expect((await read(other)).map(({ isDefault }) => isDefault)).toEqual([true]);
  });
});

describe('a view of another member', () => {
  it('can be opened by its link within the organization, and not changed', async () => {
    const theirs = await save(await colleague(), { name: 'theirs', isDefault: true });
    const mine = await save(ada, { name: 'mine' });
    expect(await read(ada)).toEqual([mine]);
    expect(await read(ada, `&_id=${theirs._id}`)).toEqual([
      mine,
      { ...theirs, own: false, isDefault: false, owner: 'Grace' },
    ]);
    expect(await read(ada, `&_id=${theirs._id}`, '/dashboard/threats')).toEqual([]);
    expect((await put(ada, `/api/views/${theirs._id}`, { name: 'x' })).statusCode).toBe(404);
    expect((await ada.delete(`/api/views/${theirs._id}`)).statusCode).toBe(404);
  });

  it('does not exist for another organization', async () => {
    const mine = await save(ada);
    const eve = await signUp(api);
    for (const id of [mine._id, strangeId()]) {
      expect(await read(eve, `&_id=${id}`)).toEqual([]);
      expect((await put(eve, `/api/views/${id}`, { name: 'x' })).statusCode).toBe(404);
      expect((await eve.delete(`/api/views/${id}`)).statusCode).toBe(404);
    }
    expect(await read(ada)).toEqual([mine]);
  });
});
