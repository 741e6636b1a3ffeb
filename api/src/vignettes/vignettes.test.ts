import type {
  ActivityEntry,
  ErrorReply,
  Facets,
  Vignette,
  VignetteContent,
  VignetteSummary,
} from '@riskboard/contract';
import { vignettes } from '@riskboard/contract/schemas';
import { starterVignettes } from '@riskboard/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvLines } from '../testing/csv.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { shop, shopCell, uploadVignette, vignetteUrl as url } from '../testing/vignettes.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  api.relay.published.length = 0;
});
afterAll(() => api.close());

const put = (id: string, body: object, ifMatch?: string): Promise<Answer> =>
  ada.call({ method: 'PUT', url: `${url}/${id}`, body, headers: { 'if-match': ifMatch } });
const detail = async (id: string): Promise<Vignette> => (await ada.get(`${url}/${id}`)).json<Vignette>();
const list = async (query = ''): Promise<VignetteSummary[]> =>
  (await ada.get(`${url}${query}`)).json<{ items: VignetteSummary[] }>().items;
const names = async (query?: string): Promise<string[]> => (await list(query)).map(({ name }) => name);
const create = async (body: object): Promise<Vignette> => {
  const answer = await ada.post(url, body);
  expect(answer.statusCode).toBe(201);
  return answer.json<Vignette>();
};
const events = () => api.relay.published.map(({ message }) => message);
const changed = (action: string, id: string) => ({
  type: 'vignette.changed',
  action,
  by: ada.user._id,
  count: 1,
  ids: [id],
});
const activity = async (): Promise<[string, string, unknown][]> =>
  (await ada.get('/api/activity?noun=vignettes&sort=at'))
    .json<{ activity: ActivityEntry[] }>()
    .activity.map(({ action, name, detail: what }) => [action, name, what]);

describe('an uploaded vignette', () => {
  const upload = async (content: unknown, name?: string) => {
    const answer = await uploadVignette(ada, content, name);
    expect(answer.statusCode).toBe(201);
    return answer.json<{ _id: string; action: string; version: number; warnings: string[] }>();
  };

  it('is created, then replaced by its name in any case as a new version', async () => {
    const first = await upload({ ...shop, colour: 'red' });
    expect(first).toEqual({
      success: true,
      action: 'created',
      _id: expect.any(String),
      id: first._id,
      name: 'Shop',
      scorecardName: 'Shop scorecard',
      version: 1,
      warnings: ['The field colour is unknown and was ignored.'],
    });
    const second = await upload(
      { ...shop, name: 'SHOP', scorecard: [{ ...shopCell, subscore: 3 }] },
      'b.json',
    );
    expect(second).toMatchObject({ action: 'replaced', _id: first._id, version: 2 });
    expect(await detail(first._id)).toMatchObject({
      name: 'SHOP',
      version: 2,
      ratedCells: 1,
      originalFilename: 'b.json',
      createdBy: ada.user._id,
      scorecard: [{ ...shopCell, subscore: 3 }],
      versions: [
        { version: 2, by: 'Ada' },
        { version: 1, by: 'Ada' },
      ],
    });
    expect(events()).toEqual([changed('created', first._id), changed('updated', first._id)]);
    expect(await activity()).toEqual([
      ['vignette.created', 'Shop', { scorecard: 'Shop scorecard', version: 1 }],
      ['vignette.replaced', 'SHOP', { scorecard: 'Shop scorecard', version: 2 }],
    ]);
  });

  it('with the same content is replaced without a new version, in any notation', async () => {
    const { _id } = await upload(shop);
    api.relay.published.length = 0;
    const grid = { 'modify DATA': { system: { Subscore: '9.0', Note: ' Money ' } } };
    const again = await upload({ content: { ...shop, scorecard: grid } }, 'copy.json');
    expect(again).toMatchObject({ action: 'replaced', _id, version: 1 });
    expect(await detail(_id)).toMatchObject({ version: 1, originalFilename: 'shop.json' });
    expect(events()).toEqual([]);
    expect((await activity()).map(([action]) => action)).toEqual(['vignette.created']);
  });

  it('may be the answer of the API to a read, without warnings', async () => {
    const { _id } = await upload(shop);
    const again = await upload(await detail(_id), 'copy.json');
    expect(again).toMatchObject({ action: 'replaced', _id, version: 1, warnings: [] });
  });

  it('may begin with a byte order mark, and keeps the name of its file without its path', async () => {
    const { _id } = await upload(`\uFEFF${JSON.stringify(shop)}`, 'C:\\files\\My shop.JSON');
    expect(await detail(_id)).toMatchObject({ originalFilename: 'My shop.JSON' });
  });

  it.each(starterVignettes.map(({ name }) => [name]))(
    'that was downloaded, as %s, is read back unchanged',
    async (name) => {
      const { _id } = (await list(`?search=${encodeURIComponent(name)}`))[0] as VignetteSummary;
      const file = await ada.get(`${url}/${_id}/download`);
      expect(() => vignettes.download.reply[200]['application/json'].parse(file.json())).not.toThrow();
      expect(file.headers['content-disposition']).toMatch(/^attachment; filename="[^"]+\.json"/u);
      expect(file.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(file.body).toContain('\n  "name": ');
      expect(await upload(file.body)).toMatchObject({ action: 'replaced', _id, version: 1, warnings: [] });
    },
  );

  it('is downloaded under the name of its file, one of the editor under its own name', async () => {
    const { _id } = await upload(shop, 'Läden (1).json');
    const disposition = async (id: string) =>
      (await ada.get(`${url}/${id}/download`)).headers['content-disposition'];
    expect(await disposition(_id)).toContain("filename*=UTF-8''L%C3%A4den%20%281%29.json");
    const own = await create({ ...shop, name: 'A/B "shop"' });
    expect(await disposition(own._id)).toContain('.json');
  });
});

describe('a vignette of the editor', () => {
  it('is created with its version as ETag, once per name in any case', async () => {
    const answer = await ada.post(url, { ...shop, scorecardName: '' });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers.etag).toBe('"1"');
    const created = answer.json<Vignette>();
    expect(created).toMatchObject({ name: 'Shop', scorecardName: 'Shop', originalFilename: '', version: 1 });
    const clash = await ada.post(url, { ...shop, name: ' sHOP ' });
    expect(clash.statusCode).toBe(409);
    expect(clash.json<ErrorReply>().details).toEqual([
      { path: 'name', message: 'A vignette named Shop exists already.' },
    ]);
    expect(events()).toEqual([changed('created', created._id)]);
  });

  it('gets a new version by each change, renamed ones included, and none without a change', async () => {
    const { _id } = await create(shop);
    const same = await put(_id, shop, '"1"');
    expect([same.statusCode, same.headers.etag]).toEqual([200, '"1"']);
    const next = { ...shop, name: 'Store', scorecard: [{ ...shopCell, subscore: 4 }] };
    const answer = await put(_id, next, '"1"');
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"2"']);
    expect(answer.json()).toMatchObject({ name: 'Store', version: 2, updatedBy: ada.user._id });
    expect((await ada.get(`${url}/${_id}/versions/1`)).json()).toMatchObject({
      name: 'Shop',
      version: 1,
      by: 'Ada',
      scorecard: [shopCell],
    });
    for (const version of ['3', '0', 'x', '2000000001'])
      expect((await ada.get(`${url}/${_id}/versions/${version}`)).statusCode).toBe(404);
    expect((await activity()).at(-1)).toEqual([
      'vignette.updated',
      'Store',
      {
        version: 2,
        changes: { name: { from: 'Shop', to: 'Store' }, 'Modify data, System': { from: 9, to: 4 } },
      },
    ]);
    expect(events()).toEqual([changed('created', _id), changed('updated', _id)]);
  });

  it.each<[string, Partial<VignetteContent>]>([
    ['the name', { name: 'Plant' }],
    ['the scorecard', { scorecard: [shopCell] }],
    ['an emptied text and list', { notes: '', references: [] }],
  ])('keeps the fields that an update does not send: with %s alone', async (_what, body) => {
    const scada = (await list('?search=SCADA'))[0] as VignetteSummary;
    const before = await detail(scada._id);
    const answer = await put(scada._id, body, '"1"');
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"2"']);
    const fields = Object.keys(vignettes.update.body.shape) as (keyof VignetteContent)[];
    const contentOf = (vignette: Vignette) =>
      Object.fromEntries(fields.map((name) => [name, vignette[name]]));
    expect(contentOf(await detail(scada._id))).toEqual({ ...contentOf(before), ...body });
    expect((await put(scada._id, {}, '"1"')).statusCode).toBe(412);
  });

  it('gets no new version by an update without fields or with the values that it has', async () => {
    for (const { _id } of await list()) {
      const { name, archetypes, scorecard } = await detail(_id);
      for (const body of [{}, { unknown: 1 }, { name }, { archetypes, scorecard }]) {
        const answer = await put(_id, body);
        expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"1"']);
      }
    }
    expect(events()).toEqual([]);
  });

  it('with an outdated If-Match is refused with 412 and the name of the person who changed it', async () => {
    const { _id } = await create(shop);
    await put(_id, { ...shop, notes: 'New' });
    const stale = await put(_id, shop, '"1"');
    expect([stale.statusCode, stale.headers.etag]).toEqual([412, '"2"']);
    expect(stale.json<ErrorReply>().message).toBe('Ada changed this in the meantime.');
    expect(await detail(_id)).toMatchObject({ version: 2, notes: 'New' });
  });

  it('cannot take the name of another one, but its own in another case', async () => {
    const { _id } = await create(shop);
    await create({ ...shop, name: 'Other' });
    expect((await put(_id, { ...shop, name: 'OTHER' })).statusCode).toBe(409);
    expect((await put(_id, { ...shop, name: 'SHOP' })).statusCode).toBe(200);
  });

  it.each([
    ['a cell twice', { scorecard: [shopCell, shopCell] }, 'scorecard.1'],
    ['no cell', { scorecard: [] }, 'scorecard'],
    ['an unknown layer', { scorecard: [{ ...shopCell, layer: 'Roof' }] }, 'scorecard.0.layer'],
    ['a subscore of 11', { scorecard: [{ ...shopCell, subscore: 11 }] }, 'scorecard.0.subscore'],
    ['no name', { name: ' ' }, 'name'],
    ['a name without a visible character', { name: '\u200B\u202E' }, 'name'],
    ['direction marks as its name', { name: '\u202e\u200f', scorecardName: '' }, 'name'],
  ])('with %s is refused with 422 at its path', async (_what, body, path) => {
    const { _id } = await create(shop);
    for (const answer of [
      await ada.post(url, { ...shop, name: 'New', ...body }),
      await put(_id, { ...shop, ...body }),
    ]) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json<ErrorReply>().details?.[0]?.path).toBe(path);
    }
    expect(await detail(_id)).toMatchObject({ version: 1 });
  });

  it('is deleted with its versions, and its name is free again', async () => {
    const { _id } = await create(shop);
    const answer = await ada.delete(`${url}/${_id}`);
    expect(answer.json()).toEqual({ success: true, _id, id: _id });
    for (const path of ['', '/versions/1', '/download'])
      expect((await ada.get(`${url}/${_id}${path}`)).statusCode).toBe(404);
    expect((await put(_id, shop)).statusCode).toBe(404);
    expect((await ada.delete(`${url}/${_id}`)).statusCode).toBe(404);
    expect((await activity()).at(-1)).toEqual(['vignette.deleted', 'Shop', { version: 1 }]);
    expect(events().at(-1)).toEqual(changed('deleted', _id));
    expect((await create(shop))._id).not.toBe(_id);
  });
});

describe('the list of vignettes', () => {
  it('begins with the starter vignettes of Riskboard, which are not of MITRE', async () => {
    const starters = await list();
    expect(starters.map(({ name }) => name).toSorted()).toEqual(
      starterVignettes.map(({ name }) => name).toSorted(),
    );
    expect(new Set(starters.map(({ origin }) => origin))).toEqual(new Set(['Riskboard']));
    expect(await activity()).toEqual([]);
    const scada = starters.find(({ name }) => name === 'SCADA');
    expect(await detail(scada?._id ?? '')).toMatchObject({
      createdBy: null,
      notes: expect.stringContaining('not a vignette of MITRE'),
    });
  });

  it('adds only missing starter vignettes again, and keeps changed ones', async () => {
    const [first, second] = (await list('?sort=name')) as [VignetteSummary, VignetteSummary];
    await ada.delete(`${url}/${first._id}`);
    await put(second._id, { ...(await detail(second._id)), scorecard: [shopCell] });
    api.relay.published.length = 0;
    const answer = await ada.post(`${url}/starters`);
    expect(answer.statusCode).toBe(200);
    const { created, items } = answer.json<{ created: number; items: VignetteSummary[] }>();
    expect([created, items.length]).toEqual([1, 6]);
    expect(items.find(({ _id }) => _id === second._id)).toMatchObject({ version: 2, ratedCells: 1 });
    expect(events()).toMatchObject([{ type: 'vignette.changed', action: 'created', count: 1 }]);
    expect((await ada.post(`${url}/starters`)).json()).toMatchObject({ created: 0 });
  });

  it('is searched, filtered, sorted, paged and exported', async () => {
    await create(shop);
    await create({ ...shop, name: 'zebra', scorecardName: '50% off', origin: '' });
    expect(await names('?search=SHOP%20SCORE')).toEqual(['Retail web shop', 'Shop']);
    expect(await names('?search=50%25')).toEqual(['zebra']);
    expect(await names('?search=own')).toEqual(['Shop']);
    expect(await names('?origin=Own')).toEqual(['Shop']);
    expect(await names('?origin=N/A')).toEqual(['zebra']);
    expect(await names('?ratedCellsMax=1&sort=-name')).toEqual(['zebra', 'Shop']);
    expect((await names('?sort=-updatedAt')).slice(0, 2)).toEqual(['zebra', 'Shop']);
    expect((await names('?sort=createdAt'))[0]).toBe((await names('?sort=-createdAt')).at(-1));
    expect(await names('?createdAtMin=2100-01-01')).toEqual([]);
    const page = (await ada.get(`${url}?pageSize=3&page=2&sort=name`)).json<{
      total: number;
      items: unknown[];
    }>();
    expect([page.total, page.items.length]).toEqual([8, 3]);
    const { facets } = (await ada.get(`${url}/facets`)).json<Facets>();
    expect(facets['origin']?.values).toEqual([
      { value: 'Riskboard', count: 6 },
      { value: 'N/A', count: 1 },
      { value: 'Own', count: 1 },
    ]);
    expect(facets['vulnerabilities']).toMatchObject({ min: 0, max: 0 });
    const csv = csvLines((await ada.get(`${url}/export?origin=Own&columns=name,ratedCells`)).body);
    expect(csv).toEqual(['Name,Rated cells', 'Shop,1']);
    const json = (await ada.get(`${url}/export?format=json&origin=Own`)).json<object[]>();
    expect(json).toMatchObject([{ name: 'Shop', scorecardName: 'Shop scorecard', version: 1 }]);
  });
});

it('a viewer reads and previews vignettes, and every write answers 403', async () => {
  const { _id } = await create(shop);
  await ada.becomes('viewer');
  const { scorecard } = shop;
  const reads = [url, `${url}/facets`, `${url}/export`, `${url}/${_id}`, `${url}/${_id}/download`];
  for (const path of reads) expect((await ada.get(path)).statusCode).toBe(200);
  expect((await ada.post(`${url}/preview`, { vignetteId: _id, scorecard })).statusCode).toBe(200);
  const writes = [
    await ada.post(url, { ...shop, name: 'Other' }),
    await put(_id, { ...shop, notes: 'x' }),
    await ada.delete(`${url}/${_id}`),
    await ada.post(`${url}/starters`),
    await uploadVignette(ada, shop),
  ];
  expect(writes.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403]);
  expect(await detail(_id)).toMatchObject({ version: 1 });
});

it('a vignette of another organization is answered like one that does not exist, and its name is free', async () => {
  const { _id } = await create(shop);
  const eve = await signUp(api);
  const answers = async (id: string) =>
    Promise.all(
      [
        eve.get(`${url}/${id}`),
        eve.get(`${url}/${id}/versions/1`),
        eve.get(`${url}/${id}/download`),
        eve.call({ method: 'PUT', url: `${url}/${id}`, body: shop }),
        eve.delete(`${url}/${id}`),
        eve.post(`${url}/preview`, { vignetteId: id, scorecard: shop.scorecard }),
      ].map(async (call) => {
        const answer = await call;
        const { requestId: _unique, ...error } = answer.json<ErrorReply>();
        return error;
      }),
    );
  const theirs = await answers(_id);
  expect(theirs.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404, 404]);
  expect(theirs).toEqual(await answers(strangeId()));
  const upload = await uploadVignette(eve, shop);
  expect(upload.json()).toMatchObject({ action: 'created' });
  expect(await detail(_id)).toMatchObject({ version: 1 });
});
