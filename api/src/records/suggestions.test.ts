import type { Suggestion } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAsset, makeProject, makeRecords, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let projectId: string;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  projectId = (await makeProject(ada))._id;
});
afterAll(() => api.close());

const log4j = JSON.stringify({
  affectedProducts: [
    'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*',
    'cpe:2.3:a:apache:log4j:2.14.0:*:*:*:*:*:*:*',
  ],
});
const make = (rows: Record<string, unknown>[], table: 'vulnerability' | 'threat' = 'vulnerability') =>
  rowMaker(api, ada).make(table, rows);
const shown = (all: Suggestion[]): [string, string[]][] =>
  all.map(({ name, reasons }) => [name, reasons.map(({ text }) => text)]);
const ofAsset = async (id: string) =>
  (await ada.get(`/api/assets/${id}/suggestions`)).json<
    Record<'threats' | 'vulnerabilities', Suggestion[]>
  >();
const ofRecord = async (noun: string, id: string) =>
  (await ada.get(`/api/${noun}/${id}/suggestions`)).json<{ assets: Suggestion[] }>().assets;

describe('suggestions for an asset', () => {
  it('are records with their reasons, the strongest first', async () => {
    const { _id } = await makeAsset(ada, projectId, {
      name: 'Harbour crane',
      description: 'Logs with Log4j, from Apache. CVE-2020-0001 is open.',
    });
    await make([
      { name: 'Vendor only', details: JSON.stringify({ affectedProducts: ['cpe:2.3:a:apache:tika:1'] }) },
      { name: 'JNDI lookup', details: log4j, cve_id: 'CVE-2021-44228', cvss_score: 10 },
      { name: 'Named', cve_id: 'CVE-2020-0001' },
      { name: 'Described', description: 'It stops each harbour crane.' },
      { name: 'Capital', description: 'In Crane OS before 3.' },
      { name: 'Unrelated', description: 'The log of a server' },
    ]);
    await make([{ name: 'Sabotage of a harbour crane', risk_level: 60, threat_id: 'T1499' }], 'threat');
    const { vulnerabilities, threats } = await ofAsset(_id);
    expect(shown(vulnerabilities)).toEqual([
      ['Named', ["The asset's description contains “CVE-2020-0001”."]],
      [
        'JNDI lookup',
        ["The asset's description contains “Log4j”, from the affected product “cpe:2.3:a:apache:log4j”."],
      ],
      ['Described', ["The description contains the asset's name, “harbour crane”."]],
      [
        'Vendor only',
        ["The asset's description contains “Apache”, from the affected product “cpe:2.3:a:apache:tika”."],
      ],
      ['Capital', ["The description contains “Crane”, from the asset's name."]],
    ]);
    expect(vulnerabilities[1]).toMatchObject({ subtitle: 'CVE-2021-44228', score: 10 });
    expect(threats).toMatchObject([{ name: 'Sabotage of a harbour crane', subtitle: 'T1499', score: 60 }]);
  });

  it('leave out related, withdrawn, inactive and fixed records, and disappear when they are related', async () => {
    const { _id } = await makeAsset(ada, projectId, { name: 'Log4j service' });
    const common = { details: log4j };
    await make([
      { ...common, name: 'fixed', status: 'fixed' },
      { ...common, name: 'revoked', withdrawn: 'revoked' },
      { ...common, name: 'inactive', is_active: false },
      { ...common, name: 'open' },
    ]);
    await makeRecords(api, ada, {
      table: 'vulnerability',
      names: ['related'],
      assets: [_id],
      columns: common,
    });
    const { vulnerabilities } = await ofAsset(_id);
    expect(vulnerabilities.map(({ name }) => name)).toEqual(['open']);
    const ids = vulnerabilities.map((one) => one._id);
    await ada.post(`/api/assets/${_id}/relations`, { add: { vulnerabilities: ids } });
    expect((await ofAsset(_id)).vulnerabilities).toEqual([]);
  });

  it('include records that are related to an asset that it depends on', async () => {
    const child = await makeAsset(ada, projectId, { name: 'Gate' });
    const parent = await makeAsset(ada, projectId, { name: 'Portal', relatedAssets: [child._id] });
    await makeRecords(api, ada, { table: 'threat', names: ['Flood'], assets: [child._id] });
    expect(shown((await ofAsset(parent._id)).threats)).toEqual([
      ['Flood', ['Related to “Gate”, which the asset depends on.']],
    ]);
    expect((await ofAsset(child._id)).threats).toEqual([]);
  });

  it('are at most twenty, with the highest score first among equal reasons', async () => {
    const { _id } = await makeAsset(ada, projectId, { name: 'Log4j service' });
    await make(
      Array.from({ length: 30 }, (_, n) => ({ name: `No. ${n}`, details: log4j, cvss_score: n % 10 })),
    );
    const { vulnerabilities } = await ofAsset(_id);
    expect(vulnerabilities).toHaveLength(20);
    const scores = vulnerabilities.map(({ score }) => score ?? 0);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(scores.at(-1)).toBe(3);
  });

  it('treat special characters of names as text', async () => {
    const { _id } = await makeAsset(ada, projectId, { name: String.raw`100%_crane (.*) \d+ [a|b]` });
    await make([{ name: 'Harbour' }, { name: 'crane fails' }]);
    expect((await ofAsset(_id)).vulnerabilities.map(({ name }) => name)).toEqual(['crane fails']);
  });
});

describe('suggestions for a vulnerability or threat', () => {
  it('are active assets with their reasons, the strongest first', async () => {
    await makeAsset(ada, projectId, { name: 'Log4j service' });
    await makeAsset(ada, projectId, { name: 'Billing', description: 'Uses log4j' });
    await makeAsset(ada, projectId, { name: 'Wiki', reference: 'https://apache.example.org' });
    await makeAsset(ada, projectId, { name: 'JNDI proxy' });
    await makeAsset(ada, projectId, { name: 'Old Log4j', isActive: false });
    await makeAsset(ada, projectId, { name: 'Log4jasper' });
    const related = await makeAsset(ada, projectId, { name: 'Related log4j' });
    await makeAsset(ada, projectId, { name: 'Shop', relatedAssets: [related._id] });
    const [id = ''] = await make([{ name: 'JNDI lookup', details: log4j }]);
    await put(ada, `/api/vulnerabilities/${id}`, { relatedAssets: [related._id] });
    const suggested = await ofRecord('vulnerabilities', id);
    expect(suggested.map(({ name, reasons }) => [name, reasons[0]?.kind, reasons[0]?.quote])).toEqual([
      ['Log4j service', 'product', 'Log4j'],
      ['Billing', 'product', 'log4j'],
      ['JNDI proxy', 'term', 'JNDI'],
      ['Wiki', 'vendor', 'apache'],
      ['Shop', 'dependency', 'Related log4j'],
    ]);
    expect(suggested[0]).toMatchObject({ subtitle: 'Harbour', score: null });
  });

  it('find the whole name of an asset in the description of a threat', async () => {
    await makeAsset(ada, projectId, { name: 'harbour crane' });
    const [id = ''] = await make([{ name: 'Sabotage', description: 'Stops a Harbour-Crane.' }], 'threat');
    expect(shown(await ofRecord('threats', id))).toEqual([
      ['harbour crane', ["The description contains the asset's name, “Harbour-Crane”."]],
    ]);
  });
});

it('suggestions of an unknown record are 404, and another organization is never searched', async () => {
  const eve = await signUp(api);
  const theirs = await makeAsset(eve, (await makeProject(eve))._id, { name: 'Log4j service' });
  const mine = await makeAsset(ada, projectId, { name: 'Log4j service' });
  const [id = ''] = await make([{ name: 'JNDI', details: log4j }]);
  for (const url of [
    `/api/assets/${theirs._id}/suggestions`,
    `/api/assets/${strangeId()}/suggestions`,
    `/api/vulnerabilities/${strangeId()}/suggestions`,
    `/api/threats/${strangeId()}/suggestions`,
  ])
    expect([url, (await ada.get(url)).statusCode]).toEqual([url, 404]);
  expect((await ofRecord('vulnerabilities', id)).map(({ _id }) => _id)).toEqual([mine._id]);
  expect((await eve.get(`/api/assets/${theirs._id}/suggestions`)).json()).toEqual({
    threats: [],
    vulnerabilities: [],
  });
});
