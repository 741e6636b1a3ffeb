import type { AssetDetail } from '@riskboard/contract';
import { plainLine } from '@riskboard/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { previewCsv } from '../testing/import-csv.ts';
import { makeAsset, makeProject } from '../testing/make-records.ts';
import { signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Texts that CSV, spreadsheets or lists of names could change. */
const awkward = fc.oneof(
  fc.constantFrom(
    '=1+1',
    "'=1",
    "''-x",
    '-2',
    '@a',
    '\tTab',
    'a;b',
    'say "x"',
    'a,b',
    'x\r\ny',
    "x;=1\n'-2",
    ' a; "=1',
    "'",
    'ä\u{1F511}',
    '+',
  ),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const text = awkward.map((value) => value.replaceAll('\0', '').toWellFormed().trim());
const lines = fc.array(text, { maxLength: 3 }).map((all) => all.join('\n').trim());
const name = text.map((value) => plainLine(value).trim()).filter((value) => value !== '');
const one = <T>(...values: T[]) => fc.constantFrom(...values);

const assets = fc.uniqueArray(
  fc.record({
    name,
    description: text.map((value) => `About ${value}`),
    assetTypeId: one(1, 2, 6),
    criticality: one(null, 1, 5),
    confidentialityLevel: one(null, 5),
    integrityLevel: one(null, 4),
    integrityDescription: text,
    replacementCost: one(null, 0, 1_234_567.89, 1e12),
    reference: text,
    startDate: one(null, '2026-02-28'),
    isActive: fc.boolean(),
  }),
  { selector: (asset) => asset.name, minLength: 2, maxLength: 8 },
);

it('an exported list of assets is read back unchanged', async () => {
  const property = fc.asyncProperty(assets, async (all) => {
    const ada = await signUp(api);
    const { _id } = await makeProject(ada, { name: 'Harbour; "North"' });
    const made: AssetDetail[] = [];
    // Each asset depends on all earlier ones.
    for (const asset of all)
      made.push(await makeAsset(ada, _id, { ...asset, relatedAssets: made.map((earlier) => earlier._id) }));
    const exported = await ada.get('/api/assets/export');
    const rows = await previewCsv(ada, exported.rawPayload);
    expect(
      rows.map(({ action, name: own, problems, cells }) => [
        own,
        action,
        problems,
        cells.filter((c) => c.problem),
      ]),
    ).toEqual(rows.map((row) => [row.name, 'unchanged', [], []]));
    expect(rows).toHaveLength(all.length);
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: 8 });
}, 60_000);

const vulnerabilities = fc.uniqueArray(
  fc.record({
    name,
    description: one('', 'about', '  spaces  '),
    severity: one(null, 0, 7.5, 10),
    status: one('open', 'mitigated', 'fixed', 'accepted'),
    cwe: one<string[]>([], ['CWE-79'], ['CWE-79', 'CWE-89']),
    cve_id: one('', 'CVE-2024-1234'),
    category_id: one(null, 1, 5, 99),
    cvss_score: one(null, 0, 9.8),
    cvss_vector: one('', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'not a vector'),
    cvss_version: one('', '3.1'),
    exploitability: one(null, 1, 9.25),
    solution: lines,
    reference: text,
    discovery_date: one(null, '2026-02-28'),
    is_active: fc.boolean(),
  }),
  { selector: (record) => record.name, minLength: 1, maxLength: 8 },
);

it('an exported list of vulnerabilities is read back unchanged, also with values that only reports bring', async () => {
  const property = fc.asyncProperty(vulnerabilities, async (all) => {
    const ada = await signUp(api);
    await rowMaker(api, ada).make('vulnerability', all);
    const exported = await ada.get('/api/vulnerabilities/export');
    const rows = await previewCsv(ada, exported.rawPayload, { noun: 'vulnerabilities' });
    expect(rows.map(({ action, problems }) => [action, problems])).toEqual(all.map(() => ['unchanged', []]));
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: 8, endOnFailure: true });
}, 60_000);
