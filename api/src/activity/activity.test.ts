import type { ActivityEntry, Facets } from '@riskboard/contract';
import { type ActivityTable, newId } from '@riskboard/db';
import { type Insertable, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvLines } from '../testing/csv.ts';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { searchReach } from './list-activity.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

type Entry = Partial<Insertable<ActivityTable>>;

/** Inserts entries a minute apart, oldest first. */
async function write(...entries: Entry[]): Promise<void> {
  const rows = entries.map((entry, n) => ({
    id: newId(),
    organization_id: ada.user.organizationId,
    at: new Date(Date.UTC(2026, 0, 1, 12, n)),
    account_id: ada.user._id,
    actor: 'Ada <ada@example.org>',
    address: '192.0.2.7',
    via: 'session' as const,
    action: 'report.uploaded',
    noun: 'reports',
    detail: '{}',
    ...entry,
  }));
  await asWorker(api, ada).inside((trx) => trx.insertInto('activity').values(rows).execute());
}

const signIn: Entry = { action: 'account.signed-in', noun: 'accounts', name: 'in' };
const rename: Entry = { action: 'organization.updated', noun: 'organization', name: 'renamed' };

interface List {
  activity: ActivityEntry[];
  total: number;
  nextCursor: string | null;
  searchedSince: string | null;
}

/** The entries of this test, without those of sign-ups. */
const january = 'atMax=2026-01-31T00:00:00Z';
const list = async (query = '') => (await ada.get(`/api/activity?${january}&${query}`)).json<List>();
const names = async (query = '') => (await list(query)).activity.map(({ name }) => name);

const facets = async (query = '') =>
  (await ada.get(`/api/activity/facets?${january}&${query}`)).json<Facets>().facets;

/** Lines of the export. */
async function exported(query = ''): Promise<string[]> {
  const answer = await ada.get(`/api/activity/export?${january}&${query}`);
  expect(answer.statusCode).toBe(200);
  return csvLines(answer.body);
}

describe('the activity list', () => {
  it('is newest first by default, oldest first on request, and paged', async () => {
    await write({ name: 'a' }, { name: 'b' }, { name: 'c' });
    expect(await names()).toEqual(['c', 'b', 'a']);
    expect(await names('sort=at')).toEqual(['a', 'b', 'c']);
    expect(await names('pageSize=2&page=2')).toEqual(['a']);
    expect(await list('pageSize=2&page=2')).toMatchObject({ total: 3, page: 2, pageSize: 2 });
  });

  it('shows actor, action, object, time, address and session or token', async () => {
    const nounId = newId();
    const detail = { changes: { name: { from: 'x', to: 'y' } } };
    await write({ noun_id: nounId, name: 'a.json', via: 'token', detail: JSON.stringify(detail) });
    expect((await list()).activity).toEqual([
      {
        _id: expect.any(String),
        at: '2026-01-01T12:00:00.000Z',
        actor: 'Ada <ada@example.org>',
        actorId: ada.user._id,
        action: 'report.uploaded',
        noun: 'reports',
        nounId,
        name: 'a.json',
        address: '192.0.2.7',
        via: 'token',
        detail,
      },
    ]);
  });

  it('filters by noun, action, person and object, with one or more values', async () => {
    const [ben, thing] = [newId(), newId()];
    await write(
      { name: 'up', noun_id: thing },
      { name: 'removed', action: 'report.deleted', account_id: ben },
      { name: 'stop', noun: 'jobs', action: 'job.cancelled', account_id: ben },
      { name: 'auto', account_id: null },
    );
    expect(await names('noun=jobs')).toEqual(['stop']);
    expect(await names('noun=jobs&noun=reports')).toEqual(['auto', 'stop', 'removed', 'up']);
    expect(await names('action=report.deleted&action=job.cancelled')).toEqual(['stop', 'removed']);
    expect(await names(`actorId=${ben}&noun=reports`)).toEqual(['removed']);
    expect(await names(`actorId=${ben}&actorId=${ada.user._id}`)).toEqual(['stop', 'removed', 'up']);
    expect(await names(`nounId=${thing}`)).toEqual(['up']);
    expect((await list(`actorId=${ben}&pageSize=1`)).total).toBe(2);
  });

  it('filters by time, both ends inclusive to the displayed millisecond', async () => {
    const at = (text: string) => new Date(text);
    await write({ name: 'early', at: at('2026-01-01T10:00:00.000Z') });
    await asWorker(api, ada).inside((trx) =>
      trx
        .insertInto('activity')
        .values({
          id: newId(),
          organization_id: ada.user.organizationId,
          at: '2026-01-01T11:00:00.000999Z',
          action: 'report.uploaded',
          noun: 'reports',
          name: 'late',
          detail: '{}',
        })
        .execute(),
    );
    const between = async (min: string, max: string) =>
      (await ada.get(`/api/activity?noun=reports&atMin=${min}&atMax=${max}`))
        .json<List>()
        .activity.map(({ name }) => name);
    expect(await between('2026-01-01T10:00:00.000Z', '2026-01-01T11:00:00.000Z')).toEqual(['late', 'early']);
    expect(await between('2026-01-01T10:00:00.001Z', '2026-01-01T11:00:00.000Z')).toEqual(['late']);
    expect(await between('2026-01-01T10:00:00.000Z', '2026-01-01T10:59:59.999Z')).toEqual(['early']);
    expect(await between('2026-01-01T12:00:00%2B02:00', '2026-01-01T12:00:00%2B02:00')).toEqual(['early']);
  });

  it('searches actor, action and object name without wildcards', async () => {
    await write({ name: 'apt1.xml' }, { name: '100%_sure.json', actor: 'Ben <ben@example.org>' }, signIn);
    expect(await names('search=APT1')).toEqual(['apt1.xml']);
    expect(await names('search=ben@')).toEqual(['100%_sure.json']);
    expect(await names('search=signed-in')).toEqual(['in']);
    expect(await names('search=%25_')).toEqual(['100%_sure.json']);
    expect(await names('search=192.0.2.7')).toHaveLength(3);
    expect(await list('search=nothing')).toMatchObject({ activity: [], total: 0, searchedSince: null });
  });

  it('finds a count in the name of an entry with and without its comma', async () => {
    await write({ name: '1,699 threats' }, { name: '12 threats' });
    expect(await names('search=1,699')).toEqual(['1,699 threats']);
    expect(await names('search=1699')).toEqual(['1,699 threats']);
  });

  it('reports how far back a search of a very long log reaches', { timeout: 60_000 }, async () => {
    const { organizationId } = ada.user;
    await write({ name: 'needle one' }, { name: 'needle two', at: new Date(Date.UTC(2026, 0, 3)) });
    await asWorker(api, ada).inside(async (trx) => {
      const at = new Date(Date.UTC(2026, 0, 2));
      const batch = 10_000;
      for (let n = 0; n < searchReach; n += batch)
        await sql`
          insert into activity (id, organization_id, at, action, noun, detail)
          select gen_random_uuid(), ${organizationId}, ${at}::timestamptz + n * interval '1 millisecond', 'x', 'reports', '{}'
          from generate_series(${n}::integer, ${n + batch - 1}::integer) n`.execute(trx);
    });
    expect(await list('search=needle')).toMatchObject({
      activity: [{ name: 'needle two' }],
      total: 1,
      searchedSince: '2026-01-02T00:00:00.000Z',
    });
    await write({ name: 'needle three', at: new Date(Date.UTC(2026, 0, 4)) });
    const { nextCursor } = await list('search=needle&pageSize=1');
    // A new entry moves the start of the searched period.
    await write({ name: 'other', at: new Date(Date.UTC(2026, 0, 5)) });
    expect(await list(`search=needle&pageSize=1&cursor=${nextCursor}`)).toMatchObject({
      activity: [{ name: 'needle two' }],
      searchedSince: '2026-01-02T00:00:00.002Z',
    });
    const further = await ada.get('/api/activity?search=needle&atMax=2026-01-01T23:00:00Z');
    expect(further.json()).toMatchObject({ activity: [{ name: 'needle one' }], searchedSince: null });
    const facets = await ada.get('/api/activity/facets?search=needle&field=noun&field=at');
    expect(facets.statusCode).toBe(200);
    const { facets: found } = facets.json<Facets>();
    expect(found['noun']?.values).toEqual([{ value: 'reports', count: 2 }]);
    expect(found['at']?.min).toBe('2026-01-03T00:00:00.000Z');
  });

  it.each([
    'noun=cats',
    'actorId=7',
    'nounId=7',
    'atMin=yesterday',
    'sort=actor',
    'page=0',
    `search=${'x'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    expect((await ada.get(`/api/activity?${query}`)).statusCode).toBe(422);
  });
});

describe('the activity facets', () => {
  it('count nouns, actions and people, named as in their newest entry', async () => {
    const ben = newId();
    await write(
      { account_id: ben, actor: 'Zoë <z@example.org>' },
      { account_id: ben, actor: 'Ben <b@example.org>', noun: 'jobs', action: 'job.retried' },
      { account_id: null, actor: '', noun: 'jobs', action: 'job.retried' },
    );
    const found = await facets();
    expect(found['noun']?.values).toEqual([
      { value: 'jobs', count: 2 },
      { value: 'reports', count: 1 },
    ]);
    expect(found['action']?.values).toEqual([
      { value: 'job.retried', count: 2 },
      { value: 'report.uploaded', count: 1 },
    ]);
    expect(found['actorId']?.values).toEqual([
      { value: ben, label: 'Ben <b@example.org>', count: 2 },
      { value: 'N/A', label: 'N/A', count: 1 },
    ]);
    // Its own filter does not narrow a facet: the latest is of today.
    expect(found['at']?.min).toBe('2026-01-01T12:00:00.000Z');
  });

  it('apply the other filters and the search, but not their own filter', async () => {
    const [ben, thing] = [newId(), newId()];
    await write(
      { name: 'one.json', noun_id: thing },
      { name: 'one.json', noun_id: thing, account_id: ben, actor: 'Ben <b@example.org>' },
      { name: 'two', noun: 'jobs', action: 'job.retried', account_id: ben, actor: 'Ben <b@example.org>' },
    );
    const under = await facets(`noun=reports&actorId=${ben}`);
    expect(under['noun']?.values).toEqual([
      { value: 'jobs', count: 1 },
      { value: 'reports', count: 1 },
    ]);
    expect(under['actorId']?.values).toEqual([
      { value: ada.user._id, label: 'Ada <ada@example.org>', count: 1 },
      { value: ben, label: 'Ben <b@example.org>', count: 1 },
    ]);
    expect(under['nounId']?.values).toEqual([{ value: thing, label: 'one.json', count: 1 }]);
    expect((await facets('search=two'))['action']?.values).toEqual([{ value: 'job.retried', count: 1 }]);
  });

  it('can be searched by the names of people', async () => {
    const ben = newId();
    await write({}, { account_id: ben, actor: 'Ben <b@example.org>' });
    const found = await facets('field=actorId&facetSearch=BEN');
    expect(found).toEqual({
      actorId: { values: [{ value: ben, label: 'Ben <b@example.org>', count: 1 }], more: false },
    });
  });
});

describe.each(['viewer', 'analyst'] as const)('the activity log of a %s', (role) => {
  beforeEach(async () => {
    await write({ name: 'up' }, { ...signIn, noun_id: ada.user._id }, rename, {
      noun: 'unheard-of',
      name: 'new',
    });
    await ada.becomes(role);
  });

  it('has more entries for an owner', async () => {
    await ada.becomes('owner');
    expect(await names()).toEqual(['new', 'renamed', 'in', 'up']);
  });

  it('contains no entries about accounts or the organization, and no addresses', async () => {
    expect((await list()).activity).toMatchObject([{ name: 'up', address: '' }]);
    expect((await list()).total).toBe(1);
  });

  it('contains nothing more with filters or a search for it', async () => {
    for (const query of [
      'noun=accounts',
      'noun=accounts&noun=organization',
      'action=account.signed-in',
      `nounId=${ada.user._id}`,
      'search=signed-in',
      'search=renamed',
      'search=192.0.2.7',
      'search=192.0',
      'address=192.0.2.7',
    ])
      expect([query, await list(query)]).toMatchObject([query, { activity: [], total: 0 }]);
  });

  it('has no hidden values in the facets', async () => {
    expect(await facets()).toMatchObject({
      noun: { values: [{ value: 'reports', count: 1 }] },
      action: { values: [{ value: 'report.uploaded', count: 1 }] },
      actorId: { values: [{ value: ada.user._id, count: 1 }] },
      address: { values: [{ value: 'N/A', count: 1 }] },
    });
    expect((await facets('address=192.0.2.7'))['noun']?.values).toEqual([]);
  });

  it('has no hidden entries in the export', async () => {
    const lines = await exported();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(',up,');
    expect(lines.join('\n')).not.toMatch(/192\.0|signed-in|renamed/u);
    expect(await exported('noun=accounts')).toHaveLength(1);
    expect(await exported('search=192.0.2.7')).toHaveLength(1);
  });
});

describe('the activity export', () => {
  it('is a download that is never rendered', async () => {
    const { headers } = await ada.get('/api/activity/export');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="activity-\d{4}-\d\d-\d\d\.csv"/u);
  });

  it('has the columns of an entry and applies the filters', async () => {
    await write({ name: 'old' }, { name: 'kept, "quoted"', detail: '{"size": 5}' }, signIn);
    expect(await exported('noun=reports&search=kept')).toEqual([
      'When,Who,Person,Via,IP address,Action,Area,Object,Name,Detail',
      `2026-01-01T12:01:00.000Z,Ada <ada@example.org>,${ada.user._id},session,192.0.2.7,report.uploaded,reports,,"kept, ""quoted""","{""size"": 5}"`,
    ]);
  });

  it('as JSON equals the list, in the requested order and columns', async () => {
    await write({ name: 'first', detail: '{"size": 5}' }, { name: 'second' });
    const answer = await ada.get(
      `/api/activity/export?${january}&format=json&sort=at&columns=name,detail,address`,
    );
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual([
      { name: 'first', detail: { size: 5 }, address: '192.0.2.7' },
      { name: 'second', detail: {}, address: '192.0.2.7' },
    ]);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['a;=1', "a;'=1"],
  ])('escapes the formula %j', async (name, escaped) => {
    await write({ name });
    const { body } = await ada.get(`/api/activity/export?${january}`);
    expect(body).toContain(`"${escaped}"`);
  });

  it('is complete over many batches, including entries of the same time', async () => {
    const at = '2026-01-05T00:00:00.123456Z';
    const rows = Array.from({ length: 4500 }, (_, n) => ({
      id: newId(),
      organization_id: ada.user.organizationId,
      at: n < 4400 ? at : new Date(Date.UTC(2026, 0, 6, 0, n)),
      action: 'x',
      noun: 'reports',
      name: `n${n}`,
      detail: '{}',
    }));
    await asWorker(api, ada).inside(async (trx) => {
      for (let n = 0; n < rows.length; n += 1500)
        await trx
          .insertInto('activity')
          .values(rows.slice(n, n + 1500))
          .execute();
    });
    const lines = (await exported()).slice(1);
    expect(lines).toHaveLength(4500);
    expect(new Set(lines.map((line) => line.split(',').at(-2)))).toEqual(
      new Set(rows.map(({ name }) => name)),
    );
  });

  it('is recorded in the log itself', async () => {
    await ada.get('/api/activity/export?noun=jobs&search=apt');
    const { activity } = (await ada.get('/api/activity?action=activity.exported')).json<List>();
    expect(activity).toMatchObject([
      {
        actorId: ada.user._id,
        via: 'session',
        detail: { filter: { noun: ['jobs'], search: 'apt' }, format: 'csv' },
      },
    ]);
  });
});

it('the activity log of another organization is not visible', async () => {
  await write({ name: 'ours' });
  const stranger = await signUp(api);
  const theirs = (await stranger.get('/api/activity')).json<List>();
  expect(theirs.activity.map(({ name }) => name)).not.toContain('ours');
  expect((await stranger.get(`/api/activity?actorId=${ada.user._id}`)).json<List>().total).toBe(0);
  expect((await stranger.get('/api/activity/export')).body).not.toContain('ours');
});
