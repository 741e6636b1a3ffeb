import { listTextMax } from '@riskboard/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;

type Row = Record<string, unknown>;

// Composed characters of two bytes and of four, which count as one and as two in JavaScript.
const exact = 'é'.repeat(listTextMax);
const long = `${'é'.repeat(listTextMax - 1)}😀and ${'the rest '.repeat(9000)}ends`;
const beginning = `${'é'.repeat(listTextMax - 1)}😀…`;

const projectTexts = ['objective', 'organizationStrategy', 'rankingsDescription', 'rankingsReference'];
const made: Record<string, string[]> = { projects: [], assets: [], threats: [], vulnerabilities: [] };

async function create(noun: string, fields: Row): Promise<string> {
  const { _id } = (await ada.post(`/api/${noun}`, fields)).json<{ _id: string }>();
  made[noun]?.push(_id);
  return _id;
}

beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  for (const [name, description] of [
    ['Alpha', long],
    ['Beta', exact],
  ] as const) {
    const texts = Object.fromEntries(projectTexts.map((field) => [field, description]));
    const projectId = await create('projects', { name, description, startDate: '2026-01-01', ...texts });
    await create('assets', { name, description, projectId, assetTypeId: 1 });
    await create('threats', { name, description, riskLevel: 70 });
    await create('vulnerabilities', { name, description, severity: 7 });
  }
});
afterAll(() => api.close());

const rowsOf = async (path: string): Promise<Row[]> => {
  const answer = await ada.get(path);
  expect(answer.statusCode).toBe(200);
  return Object.values(answer.json<Row>()).find((value) => Array.isArray(value)) as Row[];
};

describe.each(Object.keys(made))('%s with long texts', (noun) => {
  it.each(['', '&page=2&pageSize=1', '&search=lph', '&createdAtMin=2026-01-01'])(
    'have the first 2,000 characters of them in a list (%s)',
    async (query) => {
      const sort = query.includes('page=2') ? '-name' : 'name';
      const [row] = await rowsOf(`/api/${noun}?sort=${sort}${query}`);
      expect(row).toMatchObject({ name: 'Alpha', description: beginning });
    },
  );

  it('have texts of 2,000 characters whole in a list', async () => {
    const rows = await rowsOf(`/api/${noun}?sort=name`);
    expect(rows[1]).toMatchObject({ name: 'Beta', description: exact });
  });

  it('have them whole in the record itself', async () => {
    const [id] = made[noun] ?? [];
    const record = (await ada.get(`/api/${noun}/${id}`)).json<Row>();
    expect(record['description']).toBe(long);
  });

  it('keep them when another field of the row is changed', async () => {
    const [row] = await rowsOf(`/api/${noun}?sort=name`);
    const url = `/api/${noun}/${String(row?.['_id'])}`;
    const answer = await ada.call({ method: 'PUT', url, body: { name: 'Alpha' } });
    expect(answer.json<Row>()['description']).toBe(long);
  });

  it('keep them when the row is sent back with another field changed', async () => {
    const [id] = made[noun] ?? [];
    const url = `/api/${noun}/${id}`;
    const before = (await ada.get(url)).json<Row>();
    const [row] = await rowsOf(`/api/${noun}?ids=${id}`);
    const version = Number(row?.['version']);
    const headers = { 'if-match': `"${version}"` };
    const body = { ...row, name: 'Alphabet' };
    const answer = await ada.call({ method: 'PUT', url, body, headers });
    expect(answer.statusCode).toBe(200);
    const changed = answer.json<Row>();
    const { updatedAt } = changed;
    expect(changed).toMatchObject({ ...before, name: 'Alphabet', version: version + 1, updatedAt });
    // A text that is shorter than the beginning is a change.
    const description = exact.slice(1);
    const shortened = await ada.call({ method: 'PUT', url, body: { name: 'Alpha', description } });
    expect(shortened.json()).toMatchObject({ name: 'Alpha', description });
    await ada.call({ method: 'PUT', url, body: { description: long } });
  });
});

it('all five texts of a project are shortened in a list, also when it is sorted by a count', async () => {
  for (const sort of ['name', '-assets', 'vulnerabilities&assetsMin=0']) {
    const rows = await rowsOf(`/api/projects?sort=${sort}`);
    const row = rows.find(({ name }) => name === 'Alpha');
    const texts = ['description', ...projectTexts];
    expect(texts.map((field) => row?.[field])).toEqual(texts.map(() => beginning));
    expect(row).toMatchObject({ assets: 1, updatedBy: 'Ada' });
  }
});

it.each(['assets', 'vulnerabilities', 'threats', 'projects'])(
  'an export of %s has long texts whole',
  async (noun) => {
    const json = (await ada.get(`/api/${noun}/export?format=json&sort=name`)).json<Row[]>();
    expect(json.map(({ description }) => description)).toEqual([long, exact]);
    const csv = (await ada.get(`/api/${noun}/export?format=csv&sort=name&columns=description`)).body;
    expect(csv).toContain(`"${long}"`);
  },
);
