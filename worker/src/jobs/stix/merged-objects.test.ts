import { recordSources } from '@riskboard/db';
import { recordRowsVisited } from '@riskboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkExtraction, checkImportReport } from '../../testing/import-report.ts';
import { listedObjects } from '../../testing/listed-objects.ts';
import { bundle, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

const cves = ['CVE-2005-0003'];
const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const scored = vulnerability({ cves, x_misp_cvss_score: '5.0' });
const measured = vulnerability({ cves, vector, description: 'Measured' });

/** Reads and extracts a report, and checks its counts. @returns the id of the file, and the result of the extraction */
async function importReport(name: string, objects: object[]) {
  const { fileId } = await harness.read(name, bundle(objects as never));
  return { fileId, ...(await checkExtraction(harness, await harness.extract(fileId))) };
}

const record = () =>
  harness.inside((trx) => trx.selectFrom('vulnerability').selectAll().executeTakeFirstOrThrow());

describe('objects with one CVE', () => {
  const claims = [
    { vector, score: null, version: '3.1' },
    { vector: null, score: 5, source: 'x_misp_cvss_score' },
  ];

  it.each([
    ['one file', [[scored, measured]]],
    ['two files', [[scored], [measured]]],
    ['one file, the one with a vector first', [[measured, scored]]],
  ])('of %s keep all CVSS claims, the one in use first', async (_what, files) => {
    for (const [n, objects] of files.entries()) await importReport(`${n}.json`, objects);
    const { cvss_vector: used, details } = await record();
    expect(used).toBe(vector);
    expect(details).toMatchObject({ cvss: claims });
  });

  it('list a claim that several of them have once', async () => {
    await importReport('a.json', [scored, measured, vulnerability({ cves, x_misp_cvss_score: '5.0' })]);
    expect((await record()).details).toMatchObject({ cvss: claims });
  });

  it('list the claim in use before others of its object', async () => {
    const v2 = { vector_string: 'AV:N/AC:L/Au:N/C:P/I:P/A:P', base_score: 7.5 };
    const both = { v2_0: v2, v3_1: { vector_string: vector, base_score: 9.8 } };
    await importReport('a.json', [scored, vulnerability({ cves, x_cvss: both })]);
    const { cvss = [] } = (await record()).details as { cvss?: { score: number }[] };
    expect(cvss.map(({ score }) => score)).toEqual([9.8, 7.5, 5]);
  });

  it('are a source each, with their own values and locations', async () => {
    await importReport('a.json', [scored, measured]);
    const { id, cvss_score: score } = await record();
    expect(score).toBe(9.8);
    const { sources } = await harness.inside((trx) => recordSources(trx, 'vulnerability', id));
    expect(sources).toMatchObject([
      {
        location: '/objects/0',
        stix_id: scored.id,
        counts: true,
        fields: { cvss_score: 5, cvss_vector: '', description: '' },
      },
      {
        location: '/objects/1',
        stix_id: measured.id,
        counts: true,
        fields: { cvss_score: 9.8, cvss_vector: vector, description: 'Measured' },
      },
    ]);
  });

  it('are a source each also where one is withdrawn or has a newer version in another file', async () => {
    const revoked = vulnerability({ cves, revoked: true });
    await importReport('a.json', [revoked, scored, measured]);
    await importReport('b.json', [{ ...measured, modified: '2025-01-01T00:00:00Z' }]);
    const { id } = await record();
    const { sources } = await harness.inside((trx) => recordSources(trx, 'vulnerability', id));
    expect(sources.map(({ file, location, state, counts }) => [file, location, state, counts])).toEqual([
      ['b.json', '/objects/0', 'active', true],
      ['a.json', '/objects/1', 'active', true],
      ['a.json', '/objects/0', 'revoked', false],
      ['a.json', '/objects/2', 'active', false],
    ]);
  });
});

describe('an object that its report withdraws, and that has the CVE of another one', () => {
  const [alive, ...withdrawn] = [
    vulnerability({ cves }),
    vulnerability({ cves, revoked: true }),
    vulnerability({ cves, x_mitre_deprecated: true }),
  ];

  const countsOf = (fileId: string) =>
    harness.inside((trx) =>
      trx
        .selectFrom('report_file')
        .select(['mapped', 'vulnerability_records', 'revoked', 'deprecated'])
        .where('id', '=', fileId)
        .executeTakeFirst(),
    );

  it.each([
    ['keeps its record active', [alive, ...withdrawn], 1, 1],
    ['is withdrawn too', withdrawn, 0, 0],
  ])('is counted and listed where the other one %s', async (_what, objects, active, from) => {
    const { fileId, ...result } = await importReport('a.json', objects);
    expect(await countsOf(fileId)).toEqual({
      mapped: active + 2,
      vulnerability_records: active,
      revoked: 1,
      deprecated: 1,
    });
    expect(result).toMatchObject({
      created: active,
      skipped: 2,
      issues: [
        { location: `/objects/${from}`, outcome: 'revoked', stixId: withdrawn[0]?.id },
        { location: `/objects/${from + 1}`, outcome: 'deprecated', stixId: withdrawn[1]?.id },
      ],
    });
  });
});

describe('of many objects with one CVE', () => {
  /** Reads a report, and checks its counts. */
  async function read(objects: object[]) {
    const { fileId } = await harness.read('a.json', bundle(objects as never));
    await checkImportReport(harness, fileId);
    const listed = await listedObjects(harness);
    return harness.inside(async (trx) => ({
      records: await trx.selectFrom('report_record').selectAll().orderBy('key').execute(),
      listed,
      file: await trx.selectFrom('report_file').selectAll().executeTakeFirstOrThrow(),
    }));
  }
  const many = (count: number, fields: Parameters<typeof vulnerability>[0] = {}) =>
    Array.from({ length: count }, () => vulnerability({ cves, ...fields }));

  it('the first 1,000 are merged, active ones first; the others are superseded, unless they have another record', async () => {
    const both = vulnerability({ cves: [...cves, 'CVE-2005-0004'] });
    const { records, listed, file } = await read([
      ...many(2, { revoked: true }),
      ...many(1000),
      both,
      ...many(2),
    ]);
    expect(records).toMatchObject([
      { key: 'cve:CVE-2005-0003', state: 'active', location: '/objects/2' },
      { key: 'cve:CVE-2005-0004', location: '/objects/1002' },
    ]);
    expect(records[0]?.objects).toHaveLength(1000);
    expect(listed.map(({ ordinal, outcome }) => [ordinal, outcome])).toEqual([
      [0, 'superseded'],
      [1, 'superseded'],
      [1003, 'superseded'],
      [1004, 'superseded'],
    ]);
    expect(listed[0]?.reason).toMatch(/^Too many objects of the file describe one record/);
    expect(file).toMatchObject({ object_count: 1005, mapped: 1001, superseded: 4, revoked: 0 });
    expect(file.warnings).toMatchObject([
      {
        code: 'objects-left-out',
        location: '/objects/0',
        count: 5,
        message: expect.stringContaining('CVE-2005-0003'),
      },
    ]);
  });

  it('those whose texts are short enough together are merged', async () => {
    const { records, file } = await read(many(140, { description: 'x'.repeat(65_000) }));
    expect(records[0]?.objects).toHaveLength(128);
    expect(file).toMatchObject({ object_count: 140, mapped: 128, superseded: 12 });
  });
});

it('objects of one CVE are not compared with each of those that another report revokes', async () => {
  const recorded = await openHarnessDatabase();
  try {
    const statements = await recordRowsVisited(recorded.test, recorded.database.pool, { aboveMs: 0 });
    const own = await recorded.open();
    const many = (fields = {}) =>
      bundle(Array.from({ length: 300 }, () => vulnerability({ cves, ...fields })));
    await own.extract((await own.read('a.json', many())).fileId);
    const { fileId } = await own.read('b.json', many({ revoked: true }));
    await own.extract(fileId);
    const { id } = await own.inside((trx) =>
      trx.selectFrom('vulnerability').select('id').executeTakeFirstOrThrow(),
    );
    await own.inside((trx) => recordSources(trx, 'vulnerability', id));
    await own.remove(fileId);
    const [most] = statements();
    expect(most?.rows ?? 0, `${most?.text} ${JSON.stringify(most?.plan)}`).toBeLessThan(20_000);
  } finally {
    await recorded.close();
  }
});
