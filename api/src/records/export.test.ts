import { guardFormula } from '@riskboard/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvLines } from '../testing/csv.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  const { make } = rowMaker(api, ada);
  await make('threat', [
    { name: '=HYPERLINK("http://evil.example")', is_active: true, risk_level: 61 },
    { name: '+1', threat_id: '@SUM(A1)', is_active: false },
    { name: '-2; "quoted", and\nbroken', kind: 'malware' },
    { name: '\tTab', threat_category: '\rReturn' },
    { name: 'Ähre' },
  ]);
  await make('vulnerability', [
    { name: 'Two', cwe: ['CWE-79', 'CWE-89'], cvss_score: 7.5, created_at: '2026-01-02T03:04:05.678901Z' },
  ]);
});
afterAll(() => api.close());

const lines = (answer: Answer): string[] => csvLines(answer.body);

describe('an export', () => {
  it('writes the same texts as CSV and as JSON, over several steps', async () => {
    const grace = await signUp(api);
    const awkward = ['=1+1', "'=1", 'a "quoted" one', 'two\nlines', '\u{FF1D}1', 'a; "=1\n\t-2', 'plain'];
    const made = Array.from({ length: 4100 }, (_, n) => ({
      name: `${awkward[n % awkward.length]} ${n}`,
      severity: n % 7 === 0 ? null : (n % 100) / 10,
      solution: awkward[(n + 1) % awkward.length],
    }));
    await rowMaker(api, grace).make('vulnerability', made);
    for (const sort of ['name', '-severity']) {
      const query = `columns=name,severity,solution,cwe,createdAt&sort=${sort}`;
      const json = await grace.get(`/api/vulnerabilities/export?format=json&${query}`);
      const rows = json.json<Record<string, string | number | string[] | null>[]>();
      expect(rows).toHaveLength(made.length);
      const guarded = (value: string | number | string[] | null) => {
        const text = Array.isArray(value) ? value.join('; ') : String(value ?? '');
        return `"${(typeof value === 'string' ? guardFormula(text) : text).replaceAll('"', '""')}"`;
      };
      const lines = rows.map(({ _id, ...row }) => Object.values(row).map(guarded).join(','));
      const csv = (await grace.get(`/api/vulnerabilities/export?${query}`)).body;
      expect(csv.slice(csv.indexOf('\n') + 1)).toBe(`${lines.join('\n')}\n`);
    }
  });

  it('is an attachment with the same file name for any filter', async () => {
    const answer = await ada.get('/api/threats/export?search=%22%3B%20filename%3Devil.exe');
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="threats.csv"; filename*=UTF-8''threats.csv`,
    );
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(lines(answer)).toHaveLength(1);
  });

  it('guards every cell that a spreadsheet would run as a formula', async () => {
    const answer = await ada.get('/api/threats/export?columns=name,threatID,threatCategory&sort=name');
    expect(answer.body.startsWith('\u{FEFF}"Name","Threat ID","Category"\n')).toBe(true);
    const body = answer.body.slice(answer.body.indexOf('\n') + 1);
    expect(body).toContain(`"'=HYPERLINK(""http://evil.example"")","",`);
    expect(body).toContain(`"'+1","'@SUM(A1)",`);
    expect(body).toContain(`"'-2; ""quoted"", and\nbroken","",`);
    expect(body).toContain(`"'\tTab","","'\rReturn"`);
    expect(body).toContain('"Ähre","",');
  });

  it('writes true and false, the risk band, lists with semicolons and times in UTC', async () => {
    const active = await ada.get(
      '/api/threats/export?columns=isActive,risk,riskLevel&risk=high&risk=N/A&sort=-riskLevel',
    );
    expect(lines(active)[1]).toBe('true,high,61');
    expect(lines(active).filter((line) => line === 'false,,')).toHaveLength(1);
    const one = await ada.get('/api/vulnerabilities/export?columns=cwe,cvssScore,createdAt,cwe');
    expect(lines(one)).toEqual(['CWE,CVSS,Created At', 'CWE-79; CWE-89,7.5,2026-01-02T03:04:05.678Z']);
  });

  it.each([
    ['name,nonsense,constructor', 'Unknown: nonsense, constructor.'],
    [',', 'Unknown: an empty name.'],
    ['_id', 'Unknown: _id.'],
  ])('refuses the columns %j', async (columns, message) => {
    for (const list of ['vulnerabilities', 'activity']) {
      const answer = await ada.get(`/api/${list}/export?columns=${columns}`);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ details: [{ path: 'columns', message }] });
    }
  });

  it('begins each object of a JSON export with the id of its record, unless columns are chosen', async () => {
    const exported = (await ada.get('/api/threats/export?format=json')).json<object[]>();
    const { threats } = (await ada.get('/api/threats?pageSize=500')).json<{ threats: { _id: string }[] }>();
    expect(exported.map((row) => Object.entries(row)[0])).toEqual(threats.map(({ _id }) => ['_id', _id]));
    const [chosen] = (await ada.get('/api/threats/export?format=json&columns=name')).json<object[]>();
    expect(Object.keys(chosen ?? {})).toEqual(['name']);
  });

  it('has the fields of the form after those of the list, also of threats and projects', async () => {
    const grace = await signUp(api);
    const project = {
      name: 'Harbour',
      description: 'Cranes',
      startDate: '2026-01-01',
      objective: '=1+1',
      clientOrganizationName: 'Port',
      organizationStrategy: 'Grow',
      rankingsName: 'CVSS',
      rankingsDescription: 'By score',
      rankingsReference: 'FIRST',
    };
    const { _id: projectId } = (await grace.post('/api/projects', project)).json<{ _id: string }>();
    const relatedAssets: string[] = [];
    for (const name of ['Gate; north', 'Crane']) {
      const asset = { name, description: 'An asset', projectId, assetTypeId: 1 };
      relatedAssets.push((await grace.post('/api/assets', asset)).json<{ _id: string }>()._id);
    }
    const threat = {
      name: 'Theft',
      description: 'Of a "crane"',
      source: 'Police',
      motivationDescription: 'Money',
      capabilityDescription: 'Tools',
      likelihoodDescription: 'Twice a year',
      impactDescription: 'A day',
      mitigationStrategy: 'Locks',
      reference: 'https://example.org/1',
      relatedAssets,
    };
    expect((await grace.post('/api/threats', threat)).statusCode).toBe(201);

    const exported = async (path: string) =>
      (await grace.get(`/api/${path}/export?format=json`)).json<object[]>();
    expect(await exported('threats')).toMatchObject([{ ...threat, relatedAssets: 'Crane; "Gate; north"' }]);
    expect(await exported('projects')).toMatchObject([{ ...project, assets: 2, threats: 1 }]);
    const columns = 'relatedAssets,mitigationStrategy,name,description';
    expect(lines(await grace.get(`/api/threats/export?columns=${columns}`))).toEqual([
      'Related assets,Compensating Controls,Name,Description',
      '"Crane; ""Gate; north""",Locks,Theft,"Of a ""crane"""',
    ]);
    const [head, row] = lines(await grace.get('/api/projects/export'));
    expect(head).toContain(
      ',Description,Objective,Client organization,Organization strategy,Rankings name,Rankings description,Rankings reference',
    );
    expect(row).toMatch(/,Cranes,'=1\+1,Port,Grow,CVSS,By score,FIRST$/u);
  });

  it('writes labels of category, type and levels; as JSON their numbers', async () => {
    const grace = await signUp(api);
    const { make } = rowMaker(api, grace);
    const threat = { threat_type_id: 4, motivation: 3, capability: 1, likelihood: 2, impact: 5 };
    await make('threat', [{ name: 'Insider', ...threat }, { name: 'Unknown actor' }]);
    await make('vulnerability', [{ name: 'Weak', category_id: 5 }]);
    const columns = 'name,threatTypeId,motivation,capability,likelihood,impact';
    const exported = `/api/threats/export?sort=name&columns=${columns}`;
    expect(lines(await grace.get(exported))).toEqual([
      'Name,Type,Motivation,Capability,Likelihood,Impact',
      'Insider,Insider Threat,High,Low,Low,Very High',
      'Unknown actor,,,,,',
    ]);
    expect((await grace.get(`${exported}&format=json`)).json()).toMatchObject([
      { threatTypeId: 4, motivation: 3, capability: 1, likelihood: 2, impact: 5 },
      { threatTypeId: null },
    ]);
    expect(lines(await grace.get('/api/vulnerabilities/export?columns=name,categoryId'))).toEqual([
      'Name,Category',
      'Weak,Cryptography',
    ]);
  });

  it('as JSON is an array of the same rows', async () => {
    const answer = await ada.get(
      '/api/threats/export?format=json&columns=name,isActive&sort=-name&kind=malware',
    );
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="threats.json"; filename*=UTF-8''threats.json`,
    );
    expect(answer.json()).toEqual([{ name: '-2; "quoted", and\nbroken', isActive: true }]);
    expect((await ada.get('/api/threats/export?format=json&kind=tool')).json()).toEqual([]);
  });

  it.each(['format=xlsx', 'sort=risk', 'severityMin=5x&sort=nothing'])('with %s is 422', async (query) => {
    expect((await ada.get(`/api/threats/export?${query}`)).statusCode).toBe(422);
  });

  it('of more rows than one step reads has each row once, in order', async () => {
    const grace = await signUp(api);
    const made = Array.from({ length: 2500 }, (_, n) => ({
      name: `No. ${String(n).padStart(4, '0')}`,
      cvss_score: n % 3 === 0 ? null : n % 11,
    }));
    await rowMaker(api, grace).make('vulnerability', made);
    for (const sort of ['name', '-cvssScore']) {
      const answer = await grace.get(
        `/api/vulnerabilities/export?format=json&columns=name,cvssScore&sort=${sort}`,
      );
      const rows = answer.json<{ name: string; cvssScore: number | null }[]>();
      expect(rows).toHaveLength(2500);
      expect(new Set(rows.map((row) => row.name)).size).toBe(2500);
      if (sort === 'name') expect(rows.map((row) => row.name)).toEqual(made.map((row) => row.name));
      else
        expect(rows.map((row) => row.cvssScore)).toEqual(
          made.map((row) => row.cvss_score).toSorted((a, b) => (b ?? -1) - (a ?? -1)),
        );
    }
  });
});
