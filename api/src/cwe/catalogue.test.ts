import { deflateRawSync } from 'node:zlib';
import type { Catalogue, Cwe, ErrorReply, WeaknessSummary } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { form, type FormFile } from '../testing/form.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let eve: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  eve = await signUp(api);
});
afterAll(() => api.close());

const upload = (person: Person, ...files: Partial<FormFile>[]): Promise<Answer> =>
  person.call({
    method: 'POST',
    url: '/api/cwe/catalogue/upload',
    ...form(
      ...files.map((file) => ({
        field: 'catalogueFile',
        name: 'catalogue.json',
        content: '',
        ...file,
      })),
    ),
  });

const json = (version: string): string =>
  JSON.stringify({
    ContentVersion: version,
    Weaknesses: [
      {
        ID: '79',
        Name: 'Scripting of a test',
        Abstraction: 'Base',
        Structure: 'Simple',
        Status: 'Draft',
        Description: 'A page contains what another person wrote.',
        CommonConsequences: [{ Scope: ['Integrity'], Impact: ['Modify Application Data'] }],
      },
    ],
  });

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<Weakness_Catalog xmlns="http://cwe.mitre.org/cwe-7" Name="CWE" Version="88.2" Date="2031-01-02">
  <Weaknesses>
    <Weakness ID="89" Name="Query of a test" Abstraction="Base" Structure="Simple" Status="Draft">
      <Description>A query contains what another person wrote.</Description>
    </Weakness>
  </Weaknesses>
</Weakness_Catalog>`;

/** A ZIP file with one deflated file, as MITRE publishes the catalogue. */
function zip(name: string, content: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(name.length, 26);
  const directory = Buffer.from('PK\u0001\u0002 and what follows');
  return Buffer.concat([header, Buffer.from(name), deflateRawSync(content), directory]);
}

const catalogueOf = async (person: Person): Promise<Catalogue> =>
  (await person.get('/api/cwe/catalogue')).json<Catalogue>();
const messagesOf = (answer: Answer): string => {
  const { message, details = [] } = answer.json<ErrorReply>();
  return [message, ...details.map((one) => one.message)].join(' ');
};

describe('the weakness catalogue of an organization', () => {
  it('is the bundled one at first, with its version, its counts and the notice of MITRE', async () => {
    const catalogue = await catalogueOf(ada);
    expect(catalogue).toMatchObject({ origin: 'bundled', version: catalogue.newestVersion });
    expect(catalogue.weaknesses).toBeGreaterThan(900);
    expect(catalogue.categories).toBeGreaterThan(300);
    expect(catalogue.notice).toContain('MITRE');
    expect(catalogue.versions.map(({ version }) => version)).toContain(catalogue.version);
  });

  it.each([
    ['JSON', 'catalogue.json', json('88.1'), '88.1', 1, 'Scripting of a test'],
    ['XML', 'cwec_v88.2.xml', xml, '88.2', 1, 'Query of a test'],
    [
      'ZIP',
      'cwec_v88.7.xml.zip',
      zip('cwec_v88.7.xml', xml.replace('88.2', '88.7')),
      '88.7',
      1,
      'Query of a test',
    ],
  ])(
    'is replaced by an upload of %s, which other organizations do not see',
    async (_form, name, content, version, weaknesses, found) => {
      const before = await catalogueOf(ada);
      const answer = await upload(ada, { name, content });
      expect(answer.statusCode).toBe(201);
      expect(answer.json<Catalogue>()).toMatchObject({
        origin: 'upload',
        contentVersion: version,
        fileName: name,
        weaknesses,
      });
      const { items } = (await ada.get('/api/cwe')).json<{ items: WeaknessSummary[] }>();
      expect(items.map((one) => one.name)).toEqual([found]);

      const others = await catalogueOf(eve);
      expect(others.origin).toBe('bundled');
      expect(others.versions.some(({ origin }) => origin === 'upload')).toBe(false);
      const foreign = await eve.call({
        method: 'PUT',
        url: '/api/cwe/catalogue',
        payload: { version: answer.json<Catalogue>().version },
      });
      expect(foreign.statusCode).toBe(422);
      expect((await catalogueOf(eve)).origin).toBe('bundled');

      const chosen = await ada.call({
        method: 'PUT',
        url: '/api/cwe/catalogue',
        payload: { version: before.version },
      });
      expect(chosen.json<Catalogue>()).toMatchObject({ version: before.version, origin: before.origin });
    },
  );

  it('stays the same when an upload is refused, and the refusal says why', async () => {
    const refusals: [Partial<FormFile>, number, RegExp][] = [
      [{ content: '' }, 422, /empty/u],
      [{ content: '{"Weaknesses": [' }, 422, /line 1/iu],
      [{ content: '{"ContentVersion": "88.3"}' }, 422, /no Weaknesses/u],
      [{ content: '[1, 2]' }, 422, /neither XML, a JSON object nor a ZIP file/u],
      [{ content: json('not a version') }, 422, /version/u],
      [{ content: json('88.4').replace('"79"', '"x"') }, 422, /Weaknesses/u],
      [{ name: 'catalogue.xml', content: xml.slice(0, -30) }, 422, /line \d+/iu],
      [{ name: 'catalogue.xml', content: '<a/>' }, 422, /Weakness_Catalog|line 1/iu],
      [
        { name: 'catalogue.zip', content: zip('a.xml', `${xml.slice(0, -50)}${'<a/>'.repeat(1_000_000)}`) },
        422,
        /4 MB/u,
      ],
      [{ content: `{"Weaknesses":[${'{},'.repeat(1_000_000)}{}]}` }, 422, /Weaknesses\[0\]\.ID: /u],
      [{ name: 'catalogue.zip', content: 'PK\u0003\u0004 but no archive' }, 422, /damaged|unpacked|ZIP/u],
      [{ name: 'catalogue.csv', content: json('88.5') }, 415, /\.xml|\.json/u],
      [{ field: 'other', content: json('88.6') }, 422, /catalogueFile/u],
      [{ content: ' '.repeat(33 * 1024 * 1024) }, 413, /32 MiB/u],
    ];
    // An address has ten uploads a minute.
    const people = [await signUp(api), await signUp(api)];
    for (const [n, [file, status, message]] of refusals.entries()) {
      const person = people[n % 2] as Person;
      const before = await catalogueOf(person);
      const answer = await upload(person, file);
      const outcome = [file.name, String(file.content).slice(0, 30), answer.statusCode];
      expect(outcome).toEqual([file.name, String(file.content).slice(0, 30), status]);
      expect(messagesOf(answer)).toMatch(message);
      expect(await catalogueOf(person)).toEqual(before);
    }
  }, 60_000);

  it('stays the same when the connection ends in the middle of an upload', async () => {
    const person = await signUp(api);
    const before = await catalogueOf(person);
    const { headers, payload } = form({
      field: 'catalogueFile',
      name: 'catalogue.json',
      content: json('88.8'),
    });
    for (const end of [payload.length - 20, payload.indexOf('Weaknesses')]) {
      const answer = await person.call({
        method: 'POST',
        url: '/api/cwe/catalogue/upload',
        headers,
        payload: payload.subarray(0, end),
      });
      expect([answer.statusCode, messagesOf(answer)]).toEqual([400, 'The request could not be read.']);
      expect(await catalogueOf(person)).toEqual(before);
    }
  });

  it('is changed by owners only', async () => {
    const analyst = await signUp(api);
    await analyst.becomes('analyst');
    const calls = [
      await upload(analyst, { content: json('88.7') }),
      await analyst.call({ method: 'POST', url: '/api/cwe/catalogue/refresh' }),
      await analyst.call({ method: 'PUT', url: '/api/cwe/catalogue', payload: { version: '1' } }),
    ];
    expect(calls.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
    expect((await catalogueOf(analyst)).origin).toBe('bundled');
  });

  it('marks the CWSS scores of its own organization as stale when it changes', async () => {
    const scored = async (person: Person) => {
      const created = await person.call({
        method: 'POST',
        url: '/api/vulnerabilities',
        payload: { name: 'Scripting', description: 'In a form', severity: 5, cwe: ['CWE-79'] },
      });
      const { _id } = created.json<{ _id: string }>();
      await asWorker(api, person).inside((trx) =>
        sql`update vulnerability set cwss_score = 50, cwss_version = 1 where id = ${_id}`.execute(trx),
      );
      return async () =>
        (await person.get(`/api/vulnerabilities/${_id}`)).json<{ cwssStale: string[] }>().cwssStale;
    };
    const zoe = await signUp(api);
    const [mine, theirs] = [await scored(zoe), await scored(eve)];
    await upload(zoe, { content: json('88.8') });
    expect(await mine()).toEqual(['catalogue']);
    expect(await theirs()).toEqual([]);
    const { vulnerabilities } = (await zoe.get('/api/cwe/79')).json<Cwe>();
    expect(vulnerabilities).toMatchObject({ total: 1, items: [{ name: 'Scripting' }] });
    const carried = (await zoe.get('/api/cwe?vulnerabilitiesMin=1')).json<{ items: WeaknessSummary[] }>();
    expect(carried.items).toMatchObject([{ number: 79, vulnerabilities: 1 }]);
  });
});

describe('the list of weaknesses', () => {
  it('finds entries by number and by name, and filters by kind', async () => {
    const namesOf = async (query: string) => {
      const answer = await eve.get(`/api/cwe?${query}`);
      expect(answer.statusCode).toBe(200);
      return answer.json<{ items: WeaknessSummary[]; total: number }>();
    };
    expect((await namesOf('search=CWE-787')).items.map(({ number }) => number)).toContain(787);
    expect((await namesOf('search=out-of-bounds')).items.map(({ number }) => number)).toContain(787);
    const { items } = await namesOf('kind=category&pageSize=5');
    expect(items).toHaveLength(5);
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['category']));
  });

  it.each([
    ['a category', '310', { kind: 'category' }],
    ['a view', '1003', { kind: 'view' }],
    ['a deprecated weakness', '1187', { kind: 'weakness', Status: 'Deprecated' }],
  ])('answers the id of %s as such', async (_what, id, expected) => {
    expect((await eve.get(`/api/cwe/${id}`)).json<Cwe>()).toMatchObject({ ID: id, ...expected });
  });
});
