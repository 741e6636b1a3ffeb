import type { Graph, ThreatDetail, VulnerabilityDetail } from '@riskboard/contract';
import { lockAssets } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let rows: ReturnType<typeof rowMaker>;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  rows = rowMaker(api, ada);
});
afterAll(() => api.close());

const put = (url: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  ada.call({ method: 'PUT', url, body, headers });

const least = { name: 'Weak password', description: 'Found by hand', severity: 5 };

async function create(body: object = {}): Promise<VulnerabilityDetail> {
  const answer = await ada.post('/api/vulnerabilities', { ...least, ...body });
  expect([answer.statusCode, answer.body]).toEqual([201, answer.body]);
  return answer.json<VulnerabilityDetail>();
}
async function createThreat(body: object = {}): Promise<ThreatDetail> {
  const answer = await ada.post('/api/threats', { name: 'Phish', description: 'By mail', ...body });
  expect([answer.statusCode, answer.body]).toEqual([201, answer.body]);
  return answer.json<ThreatDetail>();
}

async function change(url: string, body: object): Promise<VulnerabilityDetail & ThreatDetail> {
  const answer = await put(url, body);
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  return answer.json();
}

const shownAs = async (url: string): Promise<Record<string, unknown>> =>
  (await ada.get(url)).json<Record<string, unknown>>();

interface Entry {
  action: string;
  noun_id: string | null;
  name: string;
  detail: Record<string, unknown>;
}
const entries = (): Promise<Entry[]> =>
  rows.inside((trx) =>
    trx
      .selectFrom('activity')
      .select(['action', 'noun_id', 'name', 'detail'])
      .where('noun', 'in', ['vulnerabilities', 'threats'])
      .orderBy('id')
      .execute(),
  ) as Promise<Entry[]>;

const events = (): unknown[] =>
  api.relay.published
    .filter(({ topic }) => topic.includes(ada.user.organizationId))
    .map(({ message }) => message);

describe('a manually created vulnerability', () => {
  it('needs name, description and severity, and starts open', async () => {
    const made = await create();
    expect(made).toMatchObject({ ...least, status: 'open', sourceFile: '', imported: false, version: 1 });
    expect(made.updatedBy).toBe('Ada');
    const answer = await ada.get(`/api/vulnerabilities/${made._id}`);
    expect(answer.headers['etag']).toMatch(/^"1-/u);
    expect(answer.json()).toEqual(made);
    expect(await entries()).toMatchObject([
      { action: 'vulnerability.created', noun_id: made._id, name: least.name },
    ]);
    expect(events()).toContainEqual({
      type: 'vulnerability.changed',
      action: 'created',
      by: ada.user._id,
      ids: [made._id],
      count: 1,
    });
  });

  it.each([
    ['name', undefined],
    ['name', '   '],
    ['name', 'x'.repeat(501)],
    ['name', 'NUL \0'],
    ['description', undefined],
    ['description', ' '],
    ['description', 'x'.repeat(100_001)],
    ['severity', undefined],
    ['severity', ''],
    ['severity', null],
    ['severity', 0.9],
    ['severity', 10.1],
    ['severity', '5'],
    ['cvssScore', 10.1],
    ['cvssScore', -1],
    ['cvssScore', 7.55],
    ['exploitability', 0],
    ['impact', 11],
    ['categoryId', 7],
    ['categoryId', 1.5],
    ['categoryId', 'Input Validation'],
    ['status', 'new'],
    ['cveId', 'CVE-24-1'],
    ['cwe', 'seventy-nine'],
    ['cwe', 'CWE-0'],
    ['discoveryDate', 'last week'],
    ['isActive', 'yes'],
    ['relatedAssets', ['x']],
    ['relatedAssets', [strangeId()]],
    ['cvssVector', 'CVSS:3.1/AV:N/AC:L'],
    ['cvssVector', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/AV:N'],
    ['cvssVector', 'CVSS:3.2/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['cvssVector', 'AV:N/AC:L/Au:N/C:P/I:N'],
  ])('with %s %j is refused at that field, created or changed', async (field, value) => {
    const made = await ada.post('/api/vulnerabilities', { ...least, [field]: value });
    expect(made.statusCode).toBe(422);
    expect(made.json<{ details: { path: string }[] }>().details[0]?.path.split('.')[0]).toBe(field);
    expect((await ada.get('/api/vulnerabilities')).json()).toMatchObject({ total: 0 });
    if (value === undefined) return;
    const { _id } = await create();
    const changed = await put(`/api/vulnerabilities/${_id}`, { [field]: value });
    expect(changed.statusCode).toBe(422);
    expect(changed.json<{ details: { path: string }[] }>().details[0]?.path.split('.')[0]).toBe(field);
    expect((await ada.get(`/api/vulnerabilities/${_id}`)).json()).toMatchObject({ version: 1 });
  });

  it('stores blank numbers and dates as empty and long texts in full, and ignores unknown fields', async () => {
    const description = 'ä'.repeat(100_000);
    const blank = {
      cvssScore: '',
      exploitability: null,
      impact: '',
      categoryId: '',
      discoveryDate: '',
      fixDate: null,
    };
    const made = await create({
      ...blank,
      description,
      cwssScore: 99,
      _id: strangeId(),
      version: 7,
      nonsense: {},
    });
    expect(made).toMatchObject({
      cvssScore: null,
      exploitability: null,
      impact: null,
      categoryId: null,
      discoveryDate: null,
      fixDate: null,
      cwssScore: null,
      version: 1,
    });
    expect(made.description).toBe(description);
  });

  it('refuses half a surrogate pair instead of changing the text', async () => {
    const answer = await ada.call({
      method: 'POST',
      url: '/api/vulnerabilities',
      headers: { 'content-type': 'application/json' },
      payload: String.raw`{"name":"a\ud800b","description":"x","severity":1}`,
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: 'invalid',
      details: [{ path: 'name', message: 'Text must be valid Unicode.' }],
    });
  });

  it.each([
    ['79', ['CWE-79']],
    ['079', ['CWE-79']],
    ['cwe-079, CWE-89 79', ['CWE-79', 'CWE-89']],
    [
      ['CWE-22', '79'],
      ['CWE-22', 'CWE-79'],
    ],
    ['', []],
    [[], []],
  ])('normalizes the weaknesses %j', async (cwe, known) => {
    expect(await create({ cwe, cveId: 'cve-2024-12345' })).toMatchObject({
      cwe: known,
      cveId: 'CVE-2024-12345',
    });
  });

  it('has at most 100 weaknesses, however long their ids are', async () => {
    const ids = Array.from({ length: 101 }, (_, n) => String(900_000 - 7919 * n));
    const refused = await ada.post('/api/vulnerabilities', { ...least, cwe: ids.join(' ') });
    expect(refused.json()).toMatchObject({
      statusCode: 422,
      details: [{ path: 'cwe', message: 'Enter at most 100 ids.' }],
    });
    const { cwe } = await create({ cwe: ids.slice(0, 100).join(' ') });
    expect(cwe).toHaveLength(100);
  });

  it.each([
    [{ categoryId: 3 }, 3, 'Authorization'],
    [{ category: 'cryptography' }, 5, 'Cryptography'],
    [{ category: 'Authentication', categoryId: 1 }, 1, 'Input Validation'],
    [{ category: '' }, null, ''],
    [{}, null, ''],
  ])('stores the category by number and returns its name: %j', async (entered, categoryId, category) => {
    const made = await create(entered);
    expect(made).toMatchObject({ categoryId, category });
    const changed = await change(`/api/vulnerabilities/${made._id}`, { category: 'Configuration' });
    expect(changed).toMatchObject({ categoryId: 4, category: 'Configuration' });
  });

  it.each([
    ['AV:N/AC:L/Au:N/C:P/I:N/A:N', '2.0', 5],
    ['(AV:N/AC:L/Au:N/C:P/I:N/A:N)', '2.0', 5],
    ['CVSS:3.0/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N', '3.0', 4.2],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', '3.1', 10],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', '4.0', 9.3],
  ])(
    'is scored by its vector %s, not by a score sent with it or later',
    async (cvssVector, cvssVersion, cvssScore) => {
      const made = await create({ cvssVector, cvssScore: 1 });
      expect(made).toMatchObject({ cvssVersion, cvssScore, severity: 5 });
      const url = `/api/vulnerabilities/${made._id}`;
      expect(await change(url, { cvssScore: 2 })).toMatchObject({ cvssScore, version: 1 });
      expect(await change(url, { cvssVector: '', cvssScore: 2 })).toMatchObject({
        cvssScore: 2,
        cvssVector: '',
        cvssVersion: '',
      });
    },
  );
});

describe('changing', () => {
  it.each(['vulnerabilities', 'threats'])(
    'of %s with more related assets than are shown never removes the others',
    async (noun) => {
      const crane = await rows.asset('Crane');
      const made = noun === 'threats' ? await createThreat() : await create();
      const url = `/api/${noun}/${made._id}`;
      const table = noun === 'threats' ? 'threat' : 'vulnerability';
      await rows.inside(async (trx) => {
        await sql`
          insert into asset (organization_id, id, project_id, name, asset_type_id)
          select organization_id, uuidv7(), project_id, 'Host ' || n, 1 from asset, generate_series(1, 1001) n
          where id = ${crane}`.execute(trx);
        await sql`
          insert into ${sql.table(`${table}_asset`)} (organization_id, ${sql.ref(`${table}_id`)}, asset_id)
          select organization_id, ${made._id}, id from asset where name like 'Host %'`.execute(trx);
      });
      const before = (await ada.get(url)).json<VulnerabilityDetail>();
      expect([before.relatedAssets.length, before.relatedAssetTotal]).toEqual([1000, 1001]);
      const ids = before.relatedAssets.map(({ _id }) => _id);
      for (const relatedAssets of [ids.slice(1), [...ids.slice(1), crane], []])
        expect((await put(url, { relatedAssets })).json()).toMatchObject({
          statusCode: 422,
          details: [
            { path: 'relatedAssets', message: expect.stringMatching(/^Only 1,000 of the 1,001/u) as string },
          ],
        });
      // As clients that send back what they read.
      for (const relatedAssets of [before.relatedAssets, ids])
        expect(await change(url, { name: 'Renamed', relatedAssets })).toMatchObject({
          name: 'Renamed',
          version: 2,
          relatedAssetTotal: 1001,
        });
      const removal = { ids: [made._id], change: { removeAssets: ids.slice(0, 1) } };
      expect((await put(`/api/${noun}/bulk`, removal)).statusCode).toBe(200);
      expect(await change(url, { relatedAssets: [crane] })).toMatchObject({
        relatedAssets: [{ name: 'Crane' }],
        relatedAssetTotal: 1,
      });
    },
  );

  it('any subset of fields keeps the others, logs the values before and after, and increments the version', async () => {
    const crane = await rows.asset('Crane');
    const { _id } = await create({ solution: 'Wait' });
    const url = `/api/vulnerabilities/${_id}`;
    const changed = await change(url, { status: 'fixed', relatedAssets: [{ _id: crane, name: 'Crane' }] });
    // Only records of reports mark fields as edited, not records that a user created.
    expect(changed).toMatchObject({
      ...least,
      solution: 'Wait',
      status: 'fixed',
      version: 2,
      editedFields: [],
    });
    expect(changed.relatedAssets).toEqual([{ _id: crane, name: 'Crane', description: '' }]);
    expect((await entries()).at(-1)).toMatchObject({
      action: 'vulnerability.updated',
      detail: {
        changes: { status: { from: 'open', to: 'fixed' }, relatedAssets: { from: '', to: 'Crane' } },
      },
    });
    expect(await change(url, { relatedAssets: [] })).toMatchObject({ relatedAssets: [], version: 3 });
  });

  it('without a difference makes no version, no activity entry and no event', async () => {
    const { _id, ...made } = await create({ discoveryDate: '2026-01-02' });
    const before = [await entries(), events()];
    const same = {
      ...least,
      name: ` ${least.name} `,
      discoveryDate: '2026-01-02T00:00:00Z',
      relatedAssets: [],
    };
    expect(await change(`/api/vulnerabilities/${_id}`, same)).toEqual({ _id, ...made });
    expect([await entries(), events()]).toEqual(before);
  });

  it('an older version is refused and names the user who saved first; without a version the last write wins', async () => {
    const { _id } = await create();
    const url = `/api/vulnerabilities/${_id}`;
    for (const tag of ['"1"', 'W/"1"', '"7", "2"', '*', '']) {
      const headers: Record<string, string> = tag === '' ? {} : { 'if-match': tag };
      expect((await put(url, { solution: `by ${tag}` }, headers)).statusCode).toBe(
        tag === 'W/"1"' ? 412 : 200,
      );
    }
    const stale = await put(url, { solution: 'too late' }, { 'if-match': '"1"' });
    expect(stale.statusCode).toBe(412);
    expect(stale.json()).toMatchObject({
      code: 'stale_version',
      message: 'Ada changed this in the meantime.',
    });
    expect(stale.headers['etag']).toBe('"5"');
    for (const tag of ['"99"', 'garbage', '"x"'])
      expect((await put(url, {}, { 'if-match': tag })).json()).toMatchObject({
        code: 'stale_version',
        message: 'If-Match names no earlier version; this is version 5.',
      });
    // A compressing proxy marks the tag as weak; the version in it is still exact.
    expect((await put(url, {}, { 'if-match': 'W/"5"' })).statusCode).toBe(200);
    for (const [by, message] of [
      [null, 'A report changed this in the meantime.'],
      [strangeId(), 'Another user changed this in the meantime.'],
    ] as const) {
      await rows.inside((trx) => trx.updateTable('vulnerability').set({ updated_by: by }).execute());
      expect((await put(url, {}, { 'if-match': '"1"' })).json()).toMatchObject({ message });
    }
  });

  it('one version twice at once is accepted once', async () => {
    const { _id } = await create();
    const url = `/api/vulnerabilities/${_id}`;
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((solution) => put(url, { solution }, { 'if-match': '"1"' })),
    );
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
  });

  it('related assets waits for a writer of assets before it locks the record', async () => {
    const { _id } = await create();
    const begun: Promise<unknown>[] = [];
    await rows.inside(async (trx) => {
      await lockAssets(trx);
      begun.push(change(`/api/vulnerabilities/${_id}`, { relatedAssets: [] }));
      await vi.waitFor(async () => {
        const { rows: waiting } = await sql`
          select from pg_locks join pg_stat_activity using (pid)
          where not granted and datname = current_database()`.execute(api.database.system);
        expect(waiting).toHaveLength(1);
      });
      await sql`select from vulnerability where id = ${_id} for update nowait`.execute(trx);
    });
    expect(await Promise.all(begun)).toMatchObject([{ _id, version: 1 }]);
  });

  it("refuses another organization's assets", async () => {
    const theirs = await rowMaker(api, await signUp(api)).asset('Theirs');
    const { _id } = await create();
    for (const answer of [
      await put(`/api/vulnerabilities/${_id}`, { relatedAssets: [theirs] }),
      await ada.post('/api/vulnerabilities', { ...least, relatedAssets: [theirs] }),
    ])
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        { details: [{ path: 'relatedAssets' }] },
      ]);
    const bulk = await put('/api/vulnerabilities/bulk', { ids: [_id], change: { addAssets: [theirs] } });
    expect([bulk.statusCode, bulk.json()]).toMatchObject([422, { details: [{ path: 'change.addAssets' }] }]);
  });

  it.each(['get', 'put', 'delete', 'sources', 'revert', 'related', 'graph'])(
    '%s of a missing record is 404',
    async (what) => {
      const url = `/api/threats/${strangeId()}`;
      const answer = await {
        get: () => ada.get(url),
        put: () => put(url, { name: 'x' }),
        delete: () => ada.delete(url),
        sources: () => ada.get(`${url}/sources`),
        related: () => ada.get(`${url}/related`),
        revert: () => ada.post(`${url}/revert`, {}),
        graph: () => ada.get(`${url}/graph`),
      }[what as 'get']();
      expect(answer.statusCode).toBe(404);
    },
  );
});

describe('the risk level of a threat', () => {
  it('that is not entered is derived from likelihood and impact, and marked as derived', async () => {
    const made = await createThreat({ likelihood: 3, impact: 5, riskLevel: '' });
    expect(made).toMatchObject({ riskLevel: 60, riskLevelSource: 'derived' });
    const url = `/api/threats/${made._id}`;
    expect(await change(url, { likelihood: 5 })).toMatchObject({
      riskLevel: 100,
      riskLevelSource: 'derived',
    });
    expect(await change(url, { riskLevel: 12.5 })).toMatchObject({ riskLevel: 12.5, riskLevelSource: '' });
    expect(await change(url, { likelihood: 1 })).toMatchObject({ riskLevel: 12.5 });
    expect(await change(url, { riskLevel: '' })).toMatchObject({ riskLevel: 20, riskLevelSource: 'derived' });
    expect(await change(url, { impact: null })).toMatchObject({ riskLevel: null, riskLevelSource: '' });
  });

  it.each([
    [null, null],
    [0, 0],
    [85, 8.5],
    [100, 10],
    [12.55, 1.255],
  ])('of %s has the score %s in the graph, and itself', async (riskLevel, score) => {
    const { _id } = await createThreat({ riskLevel });
    const { nodes } = (await ada.get(`/api/threats/${_id}/graph`)).json<Graph>();
    expect(nodes).toEqual([expect.objectContaining({ _id, kind: 'threat', score, riskLevel })]);
  });

  it('that is sent back unchanged stays derived and follows likelihood and impact', async () => {
    const { _id, ...made } = await createThreat({ likelihood: 3, impact: 5 });
    const url = `/api/threats/${_id}`;
    expect(await change(url, { riskLevel: 60, likelihood: 3 })).toEqual({ _id, ...made });
    const derived = { riskLevelSource: 'derived' };
    const whole = await change(url, { ...made, likelihood: 4 });
    expect(whole).toMatchObject({ ...derived, likelihood: 4, riskLevel: 80 });
    expect(await change(url, { ...whole, impact: null })).toMatchObject({
      riskLevel: null,
      riskLevelSource: '',
    });
    expect(await change(url, { impact: 2, riskLevel: null })).toMatchObject({ ...derived, riskLevel: 32 });
    expect(await change(url, { impact: 3, riskLevel: 50 })).toMatchObject({
      riskLevel: 50,
      riskLevelSource: '',
    });
    expect(await change(url, { impact: 4, riskLevel: 50 })).toMatchObject({
      riskLevel: 50,
      riskLevelSource: '',
    });
  });

  it('that no report states stays empty while likelihood and impact do not change', async () => {
    const [id = ''] = await rows.make('threat', [{ name: 'x', likelihood: 2, impact: 3 }]);
    const url = `/api/threats/${id}`;
    expect(await change(url, { description: 'x' })).toMatchObject({ riskLevel: null, riskLevelSource: '' });
    expect(await change(url, { impact: 4 })).toMatchObject({ riskLevel: 32, riskLevelSource: 'derived' });
  });

  it.each([
    ['riskLevel', 101],
    ['riskLevel', -1],
    ['motivation', 4],
    ['capability', 0],
    ['likelihood', 6],
    ['impact', 2.5],
    ['threatTypeId', 9],
    ['name', ''],
    ['description', ''],
  ])('%s of %j is refused', async (field, value) => {
    const answer = await ada.post('/api/threats', { name: 'x', description: 'x', [field]: value });
    expect(answer.json()).toMatchObject({ statusCode: 422, details: [{ path: field }] });
  });
});

describe('a record that is sent back as it was read', () => {
  const imported = {
    name: ' Padded ',
    description: '',
    severity: 0,

    cve_id: 'cve-2024-1',
    cvss_score: 7.55,
    cvss_vector: 'CVSS:9/none',
    cvss_version: '3.1',
    cwe: ['none'],
  };

  it.each([
    ['vulnerability', 'vulnerabilities', imported],
    ['vulnerability', 'vulnerabilities', { severity: null, cvss_score: 7.55, cvss_version: '3.1' }],
    ['threat', 'threats', { name: ' ', description: '', motivation: null, likelihood: 2, impact: 3 }],
    ['threat', 'threats', { risk_level: 12.345, risk_level_source: 'CAPEC', likelihood: 1 }],
  ] as const)('is not changed, also with values that a form refuses: %s', async (table, noun, columns) => {
    const { id } = await rows.imported(table, { key: 'K-1', columns });
    const url = `/api/${noun}/${id}`;
    const shown = await shownAs(url);
    expect(await change(url, shown)).toEqual(shown);
    expect(shown).toMatchObject({ editedFields: [], version: 1 });
  });

  it('is not changed without a body', async () => {
    const { _id, ...made } = await create();
    const answer = await ada.call({ method: 'PUT', url: `/api/vulnerabilities/${_id}` });
    expect([answer.statusCode, answer.json()]).toEqual([200, { _id, ...made }]);
  });

  it('takes an empty text for an empty number, and null for an empty text', async () => {
    const { id } = await rows.imported('vulnerability', {
      key: 'K-1',
      columns: { severity: null, description: '' },
    });
    const url = `/api/vulnerabilities/${id}`;
    const shown = await shownAs(url);
    expect(await change(url, { severity: '', description: null })).toEqual(shown);
  });

  it('gets only the values that differ, which are validated', async () => {
    const { id } = await rows.imported('vulnerability', { key: 'K-1', columns: imported });
    const url = `/api/vulnerabilities/${id}`;
    const shown = await shownAs(url);
    for (const [field, value] of Object.entries({
      severity: 0.5,
      description: ' ',
      cvssScore: 7.45,
    })) {
      const refused = await put(url, { ...shown, [field]: value });
      expect(refused.json()).toMatchObject({ statusCode: 422, details: [{ path: field }] });
      expect(refused.json<{ details: object[] }>().details).toHaveLength(1);
    }
    expect(await shownAs(url)).toEqual(shown);
    const changed = await change(url, { ...shown, solution: 'Patch' });
    expect(changed).toEqual({
      ...shown,
      solution: 'Patch',
      editedFields: ['solution'],
      version: 2,
      updatedBy: 'Ada',
      updatedAt: changed.updatedAt,
    });
  });

  it('is refused when another user changed it in the meantime', async () => {
    const { id } = await rows.imported('vulnerability', { key: 'K-1', columns: imported });
    const url = `/api/vulnerabilities/${id}`;
    const shown = await shownAs(url);
    await change(url, { severity: 5 });
    expect((await put(url, shown, { 'if-match': '"1"' })).statusCode).toBe(412);
    expect((await put(url, shown)).json()).toMatchObject({
      statusCode: 422,
      details: [{ path: 'severity' }],
    });
  });
});

describe('a record of a report', () => {
  const said = {
    base: { score: 9.8, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', version: '3.1' },
  };
  const columns = { severity: 9.8, cvss_score: 9.8, cvss_vector: said.base.vector, cvss_version: '3.1' };

  it('has its sources and edited fields, and reverts field by field', async () => {
    const { id, fileId } = await rows.imported('vulnerability', {
      key: 'CVE-1',
      data: { ...said, description: 'As reported' },
      columns: { ...columns, description: 'As reported' },
    });
    const url = `/api/vulnerabilities/${id}`;
    const edited = await change(url, {
      cvssVector: '',
      cvssScore: 3,
      description: 'Mine',
      status: 'fixed',
      solution: 'Patch',
    });
    expect(edited).toMatchObject({ imported: true, cvssScore: 3 });
    expect(edited.editedFields.toSorted()).toEqual([
      'cvssScore',
      'cvssVector',
      'description',
      'solution',
      'status',
    ]);
    const { sources, editedFields } = (await ada.get(`${url}/sources`)).json<{
      sources: Record<string, unknown>[];
      editedFields: string[];
    }>();
    expect(editedFields).toEqual(edited.editedFields);
    expect(sources).toMatchObject([
      {
        fileId,
        file: 'report.json',
        location: 'objects[0]',
        current: true,
        fields: { description: 'As reported', cvssScore: 9.8 },
      },
    ]);
    // No report contains these fields, so the values of the user are kept.
    expect((await ada.post(`${url}/revert`, { fields: ['status', 'solution'] })).statusCode).toBe(409);
    const revert = (version: number) =>
      ada.call({
        method: 'POST',
        url: `${url}/revert`,
        payload: { fields: ['cvssScore'] },
        headers: { 'if-match': `"${version}"` },
      });
    const stale = await revert(1);
    expect([stale.statusCode, stale.json().message]).toEqual([412, 'Ada changed this in the meantime.']);
    const back = await revert(2);
    expect(back.json()).toMatchObject({
      cvssScore: 9.8,
      cvssVector: said.base.vector,
      cvssVersion: '3.1',
      description: 'Mine',
      version: 3,
    });
    expect((await entries()).at(-1)).toMatchObject({
      action: 'vulnerability.reverted',
      detail: { changes: { cvssScore: { from: 3, to: 9.8 } } },
    });
    const rest = (await ada.post(`${url}/revert`, {})).json<VulnerabilityDetail>();
    expect(rest).toMatchObject({ description: 'As reported', status: 'fixed', solution: 'Patch' });
    expect(rest.editedFields.toSorted()).toEqual(['solution', 'status']);
    expect((await ada.post(`${url}/revert`, {})).statusCode).toBe(409);
  });

  it.each([null, 0])(
    'reverts to the severity %j of its report, which no user may enter',
    async (severity) => {
      const { id } = await rows.imported('vulnerability', {
        key: 'CVE-2',
        data: severity === null ? {} : { base: { score: severity } },
        columns: { severity, cvss_score: severity },
      });
      const url = `/api/vulnerabilities/${id}`;
      await change(url, { severity: 7 });
      expect((await put(url, { severity: severity ?? '' })).statusCode).toBe(422);
      const back = await ada.post(`${url}/revert`, { fields: ['severity'] });
      expect(back.json()).toMatchObject({ severity, editedFields: [] });
    },
  );

  it('of several reports has the values of the first one', async () => {
    await rows.imported('threat', { key: 'T-2', file: 'first.json' });
    const { id } = await rows.imported('threat', { key: 'T-2', file: 'second.json' });
    const { sources } = (await ada.get(`/api/threats/${id}/sources`)).json<{ sources: unknown[] }>();
    expect(sources).toMatchObject([
      { file: 'first.json', current: true, fills: [] },
      { file: 'second.json', current: false, fills: [] },
    ]);
  });

  it('has the first 100 sources, their number, and the number of reports', async () => {
    await rows.imported('vulnerability', { key: 'CVE-6', file: 'one.json' });
    const { id, fileId } = await rows.imported('vulnerability', { key: 'CVE-6', file: 'many.json' });
    const url = `/api/vulnerabilities/${id}/sources`;
    interface Sources {
      sources: unknown[];
      total: number;
      reportTotal: number;
    }
    const counts = async () => {
      const { sources, total, reportTotal } = (await ada.get(url)).json<Sources>();
      return { listed: sources.length, total, reportTotal };
    };
    expect(await counts()).toEqual({ listed: 2, total: 2, reportTotal: 2 });
    const objects = Array.from({ length: 120 }, (_, n) => ({
      stixId: `vulnerability--${n}`,
      location: `/objects/${n}`,
    }));
    await rows.inside((trx) =>
      sql`update report_record set objects = ${JSON.stringify(objects)} where file_id = ${fileId}`.execute(
        trx,
      ),
    );
    expect(await counts()).toEqual({ listed: 100, total: 121, reportTotal: 2 });
    const { _id } = await create();
    expect((await ada.get(`/api/vulnerabilities/${_id}/sources`)).json()).toMatchObject({
      sources: [],
      total: 0,
      reportTotal: 0,
    });
  });

  it('shows the beginning of a text that is longer than 10,000 characters', async () => {
    const long = `${'é'.repeat(10_000)}the rest`;
    const data = { cveId: 'CVE-7', description: long, cwe: ['CWE-79'] };
    const { id } = await rows.imported('vulnerability', { key: 'CVE-7', data });
    const { sources } = (await ada.get(`/api/vulnerabilities/${id}/sources`)).json<{
      sources: { fields: Record<string, unknown>; fills: string[] }[];
    }>();
    expect(sources.map(({ fields }) => fields)).toMatchObject([
      { description: `${'é'.repeat(10_000)}…`, cveId: 'CVE-7', cwe: ['CWE-79'], cvssScore: null },
    ]);
  });

  it('of several reports names the fields that each one fills', async () => {
    const { base } = said;
    const cwe = ['CWE-79'];
    await rows.imported('vulnerability', { key: 'CVE-3', file: 'name.json', data: { cveId: 'CVE-3' } });
    await rows.imported('vulnerability', {
      key: 'CVE-3',
      file: 'scored.json',
      data: { base, cveId: 'CVE-3' },
    });
    const { id } = await rows.imported('vulnerability', {
      key: 'CVE-3',
      file: 'whole.json',
      data: { base, cwe, description: 'Known' },
    });
    const { sources } = (await ada.get(`/api/vulnerabilities/${id}/sources`)).json<{
      sources: { file: string; fills: string[] }[];
    }>();
    expect(sources.map(({ file, fills }) => [file, fills.toSorted()])).toEqual([
      ['name.json', []],
      ['scored.json', ['cvssScore', 'cvssVector', 'severity']],
      ['whole.json', ['cwe', 'description']],
    ]);
  });

  it('of several reports takes the first score with a vector, and nothing of an object that is withdrawn', async () => {
    const withoutVector = { base: { score: 5, version: '3.1' }, cveId: 'CVE-4' };
    await rows.imported('vulnerability', { key: 'CVE-4', file: 'score.json', data: withoutVector });
    const { id } = await rows.imported('vulnerability', {
      key: 'CVE-4',
      file: 'vector.json',
      data: { base: said.base },
    });
    const sources = async () => {
      const reply = (await ada.get(`/api/vulnerabilities/${id}/sources`)).json<{
        sources: { file: string; current: boolean; fills: string[] }[];
      }>();
      return reply.sources.map(({ file, current, fills }) => [file, current, fills.toSorted()]);
    };
    expect(await sources()).toEqual([
      ['score.json', true, []],
      ['vector.json', false, ['cvssScore', 'cvssVector', 'severity']],
    ]);
    // Another report withdraws the object of the first one.
    await rows.imported('vulnerability', { key: 'CVE-5', file: 'withdrawal.json' });
    await rows.inside((trx) =>
      sql`
        with named as (
          update report_record set stix_id = 'vulnerability--1' where location = 'objects[0]' and vulnerability_id = ${id}
            and file_id = (select id from report_file where name = 'score.json')
          returning *
        )
        insert into report_record (organization_id, file_id, id, kind, key, ordinal, type, stix_id, state, location, name, data)
        select organization_id, (select id from report_file where name = 'withdrawal.json'), gen_random_uuid(), kind,
          (select key from vulnerability where id = ${id}), 9, type, stix_id, 'revoked', location, name, data from named`.execute(
        trx,
      ),
    );
    expect(await sources()).toEqual([
      ['vector.json', true, []],
      ['score.json', false, []],
    ]);
  });

  it('reverts a vector and its score together', async () => {
    const { id } = await rows.imported('vulnerability', { key: 'CVE-2', columns: { cvss_score: 5 } });
    await change(`/api/vulnerabilities/${id}`, { cvssScore: 6 });
    const [row] = await rows.inside((trx) =>
      trx.selectFrom('vulnerability').select('edited_fields').execute(),
    );
    expect(row?.edited_fields.toSorted()).toEqual(['cvss_score', 'cvss_vector', 'cvss_version']);
  });

  it('has no edited field after a change and the change back, so that it follows and leaves with its report', async () => {
    const { id, fileId } = await rows.imported('vulnerability', {
      key: 'CVE-4',
      data: { base: { score: 7 }, cwe: ['CWE-79'], discoveredAt: '2024-05-01T10:00:00Z' },
      columns: { severity: 7, cvss_score: 7, cwe: ['CWE-79'], discovery_date: '2024-05-01' },
    });
    const url = `/api/vulnerabilities/${id}`;
    const shown = await shownAs(url);
    const other = {
      severity: 9,
      cvssScore: 8,
      cwe: ['CWE-80'],
      discoveryDate: '2024-06-01',
      status: 'fixed',
      solution: 'Patch',
      relatedAssets: [await rows.asset('Crane')],
    };
    const edited = await change(url, other);
    expect(edited.editedFields).toEqual(expect.arrayContaining(['severity', 'cvssScore', 'status']));
    for (const field of ['cvssScore', 'severity', 'cwe', 'discoveryDate', 'status', 'solution'] as const)
      expect((await change(url, { [field]: shown[field] })).editedFields).not.toContain(field);
    expect(await change(url, { relatedAssets: [] })).toMatchObject({ editedFields: [], severity: 7 });
    expect((await ada.delete(`/api/reports/files/${fileId}`)).statusCode).toBe(200);
    expect((await ada.get(url)).statusCode).toBe(404);
  });

  it('has a severity that follows the score while no person enters one', async () => {
    const { id } = await rows.imported('vulnerability', {
      key: 'CVE-6',
      data: said,
      columns,
    });
    const url = `/api/vulnerabilities/${id}`;
    const severityOf = async (values: Record<string, unknown>) => {
      const { severity, cvssScore, editedFields } = await change(url, values);
      return [severity, cvssScore, editedFields.includes('severity')];
    };
    const low = 'CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N';
    // A client that changes one field may send the others as it read them.
    expect(await severityOf({ cvssVector: low, severity: 9.8 })).toEqual([1.6, 1.6, false]);
    expect(await severityOf({ cvssVector: '', cvssScore: 4 })).toEqual([4, 4, false]);
    expect(await severityOf({ cvssScore: 5, severity: 5 })).toEqual([5, 5, false]);
    expect(await severityOf({ cvssScore: null })).toEqual([null, null, false]);
    expect(await severityOf({ cvssScore: 6, severity: 7 })).toEqual([7, 6, true]);
    expect(await severityOf({ cvssVector: low })).toEqual([7, 1.6, true]);
    // Back to the reports, the severity first.
    expect(await severityOf({ severity: 9.8 })).toEqual([9.8, 1.6, true]);
    expect(await severityOf({ cvssVector: columns.cvss_vector })).toEqual([9.8, 9.8, false]);
    expect(await severityOf({ cvssVector: low })).toEqual([1.6, 1.6, false]);
    const back = await ada.post(`${url}/revert`, {});
    expect(back.json()).toMatchObject({ severity: 9.8, cvssScore: 9.8, editedFields: [] });
  });

  it('keeps a field edited that is set to another value than that of the report', async () => {
    const { id } = await rows.imported('vulnerability', {
      key: 'CVE-5',
      data: { base: { score: 7 } },
      columns: { severity: 5, edited_fields: ['severity'] },
    });
    const url = `/api/vulnerabilities/${id}`;
    expect((await change(url, { severity: 9 })).editedFields).toEqual(['severity']);
    expect((await change(url, { severity: 5 })).editedFields).toEqual(['severity']);
  });

  it.each([
    ['CAPEC', { riskLevel: 60, riskLevelSource: 'CAPEC' }, 60],
    ['derived', { riskLevel: 24, riskLevelSource: 'derived' }, ''],
  ])(
    'has a risk level that is %s again after a change and the change back',
    async (source, level, former) => {
      const factors = { likelihood: 2, impact: 3 };
      const { id } = await rows.imported('threat', {
        key: 'T-3',
        data: { ...factors, ...level },
        columns: { ...factors, risk_level: level.riskLevel, risk_level_source: source },
      });
      const url = `/api/threats/${id}`;
      expect(await change(url, { riskLevel: 70, isActive: false })).toMatchObject({
        riskLevelSource: '',
        editedFields: ['riskLevel', 'isActive'],
      });
      expect(await change(url, { riskLevel: former, isActive: true })).toMatchObject({
        ...level,
        editedFields: [],
      });
    },
  );

  it('keeps an entered risk level that equals the derived one of the report while the likelihood differs', async () => {
    const level = { riskLevel: 24, riskLevelSource: 'derived' };
    const factors = { likelihood: 2, impact: 3 };
    const { id } = await rows.imported('threat', {
      key: 'T-4',
      data: { ...factors, ...level },
      columns: { ...factors, risk_level: 24, risk_level_source: 'derived' },
    });
    const url = `/api/threats/${id}`;
    await change(url, { likelihood: 5 });
    const entered = await change(url, { riskLevel: 24 });
    expect(entered).toMatchObject({ riskLevel: 24, riskLevelSource: '' });
    expect(entered.editedFields.toSorted()).toEqual(['likelihood', 'riskLevel']);
  });

  it('has no edited risk level when the level only follows an edited impact', async () => {
    const { id } = await rows.imported('threat', {
      key: 'T-5',
      data: { likelihood: 3 },
      columns: { likelihood: 3 },
    });
    const url = `/api/threats/${id}`;
    const edited = { riskLevel: 48, riskLevelSource: 'derived', editedFields: ['impact'] };
    expect(await change(url, { impact: 4 })).toMatchObject(edited);
    expect((await change(url, { riskLevel: 50 })).editedFields.toSorted()).toEqual(['impact', 'riskLevel']);
    expect(await change(url, { riskLevel: null })).toMatchObject(edited);
    const back = await ada.post(`${url}/revert`, {});
    expect(back.json()).toMatchObject({ riskLevel: null, riskLevelSource: '', editedFields: [] });
  });

  it('has an edited risk level when a person clears the one of the reports', async () => {
    const stated = { likelihood: 3, impact: 4, riskLevel: 53, riskLevelSource: 'CAPEC' };
    const { id } = await rows.imported('threat', {
      key: 'T-6',
      data: stated,
      columns: { likelihood: 3, impact: 4, risk_level: 53, risk_level_source: 'CAPEC' },
    });
    const url = `/api/threats/${id}`;
    const cleared = await change(url, { likelihood: 1, riskLevel: null });
    expect(cleared).toMatchObject({ riskLevel: 16, riskLevelSource: 'derived' });
    expect(cleared.editedFields.toSorted()).toEqual(['likelihood', 'riskLevel']);
    const revert = (field: string) => ada.post(`${url}/revert`, { fields: [field] });
    expect((await revert('likelihood')).json()).toMatchObject({
      riskLevel: 48,
      riskLevelSource: 'derived',
      editedFields: ['riskLevel'],
    });
    expect((await revert('riskLevel')).json()).toMatchObject({ ...stated, editedFields: [] });
  });

  it('derives the risk level again when likelihood is reverted', async () => {
    const { id } = await rows.imported('threat', {
      key: 'T-1',
      data: { likelihood: 2, impact: 3 },
      columns: { likelihood: 2, impact: 3 },
    });
    const url = `/api/threats/${id}`;
    expect(await change(url, { likelihood: 5, impact: 5 })).toMatchObject({ riskLevel: 100 });
    const back = await ada.post(`${url}/revert`, { fields: ['likelihood'] });
    expect(back.json()).toMatchObject({
      likelihood: 2,
      impact: 5,
      riskLevel: 40,
      riskLevelSource: 'derived',
    });
  });

  it('has no edited field when only its assets change', async () => {
    const { id, fileId } = await rows.imported('vulnerability', { key: 'CVE-3' });
    await change(`/api/vulnerabilities/${id}`, { relatedAssets: [await rows.asset('Crane')] });
    expect((await ada.delete(`/api/reports/files/${fileId}`)).statusCode).toBe(200);
    expect((await ada.get(`/api/vulnerabilities/${id}`)).json()).toMatchObject({
      imported: false,
      sourceFile: '',
      editedFields: [],
    });
  });
});

describe('the graph', () => {
  it('has the record, its assets, their relations, and other records of these assets', async () => {
    const [crane, quay, ship] = [
      await rows.asset('Crane'),
      await rows.asset('Quay'),
      await rows.asset('Ship'),
    ];
    const { _id } = await create({ cvssScore: 9.1, relatedAssets: [crane, quay] });
    const threat = await createThreat({ riskLevel: 55, relatedAssets: [crane] });
    await createThreat({ relatedAssets: [ship] });
    await rows.inside((trx) =>
      trx
        .insertInto('asset_relation')
        .values({ organization_id: ada.user.organizationId, asset_id: crane, related_id: quay })
        .execute(),
    );
    const { nodes, edges, more } = (await ada.get(`/api/vulnerabilities/${_id}/graph`)).json<{
      nodes: { name: string; score: number | null; riskLevel: number | null; centre: boolean }[];
      edges: unknown[];
      more: boolean;
    }>();
    expect(nodes.map(({ name, score, riskLevel, centre }) => [name, score, riskLevel, centre])).toEqual([
      [least.name, 9.1, null, true],
      ['Crane', 0.4, null, false],
      ['Quay', 0.2, null, false],
      ['Phish', 5.5, 55, false],
    ]);
    expect(edges).toHaveLength(4);
    expect(edges).toContainEqual({ source: threat._id, target: crane, label: 'threatens' });
    expect(edges).toContainEqual({ source: crane, target: quay, label: 'related' });
    expect(more).toBe(false);
  });
});

describe('a graph with too many nodes', () => {
  it('returns the nearest 2,000 nodes and reports that there are more', async () => {
    const crane = await rows.asset('Zzz, last by name');
    const { _id } = await create({ name: 'zzz, last by name too', relatedAssets: [crane] });
    const tie = async (count: number) => {
      const ids = await rows.make(
        'vulnerability',
        Array.from({ length: count }, (_, n) => ({ name: `No. ${n}` })),
      );
      await rows.inside((trx) =>
        sql`insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
          select current_organization(), id, ${crane} from unnest(${ids}::uuid[]) id`.execute(trx),
      );
    };
    const graph = async () => (await ada.get(`/api/vulnerabilities/${_id}/graph`)).json<Graph>();
    await tie(1998);
    const full = await graph();
    expect([full.nodes.length, full.edges.length, full.more]).toEqual([2000, 1999, false]);
    await tie(1);
    const cut = await graph();
    expect([cut.nodes.length, cut.edges.length, cut.more]).toEqual([2000, 1999, true]);
    expect(cut.nodes.slice(0, 2)).toMatchObject([{ _id, centre: true }, { _id: crane }]);
  });
});

describe('metrics', () => {
  it('count by the thresholds of spec 9', async () => {
    const at = (severity: number | null, more = {}) => ({ name: 'x', severity, ...more });
    await rows.make('vulnerability', [
      ...[8, 8.1, 6, 6.1, 10].map((severity) => at(severity)),
      at(null, { status: 'fixed', cvss_score: 4 }),
      at(7, { created_at: '2020-01-01', cvss_score: 5.5 }),
    ]);
    expect((await ada.get('/api/vulnerabilities/metrics')).json()).toEqual({
      total: 7,
      open: 6,
      critical: 2,
      high: 3,
      fixed: 1,
      new: 5,
      averageCvss: 4.8,
    });
    const risk = (level: number | null, active = true) => ({
      name: 'x',
      risk_level: level,
      is_active: active,
    });
    await rows.make('threat', [risk(70), risk(71), risk(40), risk(40.5), risk(null, false)]);
    expect((await ada.get('/api/threats/metrics')).json()).toEqual({
      total: 5,
      active: 4,
      critical: 1,
      high: 2,
    });
    for (const [query, total] of [
      ['severity=critical', 1],
      ['severity=high&severity=N/A', 4],
      ['status=new', 5],
    ] as const)
      expect((await ada.get(`/api/vulnerabilities?${query}`)).json()).toMatchObject({ total });
    expect((await ada.get('/api/threats?risk=high')).json()).toMatchObject({ total: 2 });
  });

  it('equal the totals of the lists that the cards link to, for any value', async () => {
    const total = async (query: string) => (await ada.get(`/api/${query}`)).json<{ total: number }>().total;
    const severities = [6, 6.0001, 6.005, 6.01, 7.999, 8, 8.0000001, 8.005, 8.01, 10, null];
    await rows.make(
      'vulnerability',
      severities.map((severity) => ({ name: 'x', severity })),
    );
    const levels = [40, 40.004, 40.01, 70, 70.001, 70.01, 100, null];
    await rows.make(
      'threat',
      levels.map((level) => ({ name: 'x', risk_level: level })),
    );
    expect((await ada.get('/api/vulnerabilities/metrics')).json()).toMatchObject({ critical: 4, high: 5 });
    expect(await total('vulnerabilities?severityAbove=8')).toBe(4);
    expect(await total('vulnerabilities?severityAbove=6&severityMax=8')).toBe(5);
    expect((await ada.get('/api/threats/metrics')).json()).toMatchObject({ critical: 3, high: 3 });
    expect(await total('threats?riskLevelAbove=70')).toBe(3);
    expect(await total('threats?riskLevelAbove=40&riskLevelMax=70')).toBe(3);
    expect((await ada.get('/api/threats?riskLevelAbove=much')).statusCode).toBe(422);
  });
});
