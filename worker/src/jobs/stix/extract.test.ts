import { type ExtractResult, jobCancelledTopic } from '@riskboard/contract';
import { ExtractKind } from '@riskboard/contract/schemas';
import { cancelJobs, lockAssertions, newId } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkImportReport, checkExtraction } from '../../testing/import-report.ts';
import { crashPoint, stopBeforeCommit, lockWaits } from '../../testing/crash-points.ts';
import { orphans, rowCounts, snapshot } from '../../testing/snapshot.ts';
import { stix1Package } from '../../testing/stix1.ts';
import { bundle, manyVulnerabilities, type StixObject, threat, vulnerability } from '../../testing/stix2.ts';
import { requestExtraction, removeFile, saveFile, storeContent } from '../../testing/store-report.ts';
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

/** Parses a report and extracts all of it, checking the counts of both. */
async function importReport(
  name: string,
  objects: StixObject[],
): Promise<ExtractResult & { fileId: string }> {
  const { fileId } = await harness.read(name, bundle(objects));
  return { fileId, ...(await checkExtraction(harness, await harness.extract(fileId))) };
}

const again = async (fileId: string): Promise<ExtractResult> =>
  checkExtraction(harness, await harness.extract(fileId));

const vulnerabilities = () =>
  harness.inside((trx) => trx.selectFrom('vulnerability').selectAll().orderBy('key').execute());
const threats = () => harness.inside((trx) => trx.selectFrom('threat').selectAll().orderBy('key').execute());

async function only<T>(rows: Promise<T[]>): Promise<T> {
  const [row, ...others] = await rows;
  if (row === undefined) throw new Error('No row');
  expect(others).toEqual([]);
  return row;
}

const cves = ['CVE-2021-44228'];
const spring = 'CVE-2022-22965';
const march = '2024-03-01T00:00:00.000Z';
const april = '2024-04-01T00:00:00.000Z';
const may = '2024-05-01T00:00:00.000Z';
const v31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H';

it.each([
  [
    ['javascript:alert(1)', 'https://vendor.example/a', 'https://vendor.example/b'],
    'https://vendor.example/a',
  ],
  [['urn:first', 'HTTP://vendor.example'], 'HTTP://vendor.example'],
  [['urn:first', 'urn:second'], 'urn:first'],
])('of the references %j, the record has %s', async (urls, reference) => {
  const external_references = urls.map((url) => ({ source_name: 'vendor', url }));
  await importReport('a.json', [vulnerability({ external_references }), threat({ external_references })]);
  expect(await only(vulnerabilities())).toMatchObject({ reference });
  expect(await only(threats())).toMatchObject({ reference });
});

it('an extraction fills the fields that the report has and leaves the others empty', async () => {
  const hole = vulnerability({
    cves,
    vector: v31,
    name: 'Log4Shell',
    description: 'JNDI features do not protect',
    modified: march,
    external_references: [
      { source_name: 'cve', external_id: cves[0] },
      { source_name: 'cwe', external_id: 'CWE-502' },
      { source_name: 'vendor', url: 'https://vendor.example/advisory' },
    ],
  });
  const result = await importReport('a.json', [hole]);
  expect(result).toMatchObject({ created: 1, updated: 0, unchanged: 0, skipped: 0 });
  const row = await only(vulnerabilities());
  expect(row).toMatchObject({
    id: result.createdIds[0],
    key: 'cve:CVE-2021-44228',
    name: 'Log4Shell',
    description: 'JNDI features do not protect',
    cve_id: 'CVE-2021-44228',
    cwe: ['CWE-502'],
    severity: 10,
    cvss_score: 10,
    cvss_vector: v31,
    cvss_version: '3.1',
    reference: 'https://vendor.example/advisory',
    source_file: 'a.json',
    source_modified: new Date(march),
    status: 'open',
    version: 1,
    created_by: null,
    cwss_score: null,
    category_id: null,
    exploitability: null,
    impact: null,
    solution: '',
    withdrawn: null,
  });
});

describe('two reports that name one CVE', () => {
  it('share one record, whose source is the newer upload', async () => {
    const first = await importReport('first.json', [vulnerability({ cves, modified: april, name: 'Known' })]);
    const second = await importReport('second.json', [vulnerability({ cves, modified: april })]);
    expect(second).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect(await only(vulnerabilities())).toMatchObject({
      name: 'Known',
      source_file: 'second.json',
      version: 1,
    });
    await again(first.fileId);
    expect(await only(vulnerabilities())).toMatchObject({ source_file: 'second.json' });
    await checkImportReport(harness, first.fileId);
    await harness.remove(second.fileId);
    expect(await only(vulnerabilities())).toMatchObject({ source_file: 'first.json' });
    await harness.remove(first.fileId);
    expect(await vulnerabilities()).toEqual([]);
  });

  it.each([
    ['first', [march, april]],
    ['last', [april, march]],
  ])('keep the values modified later, also when that report is uploaded %s', async (_order, times) => {
    for (const modified of times)
      await importReport(`${modified}.json`, [vulnerability({ cves, modified, name: modified })]);
    expect(await only(vulnerabilities())).toMatchObject({ name: april, source_modified: new Date(april) });
  });

  it.each(['deleted', 'replaced'])(
    'have the values of the other one when the newer one is %s',
    async (how) => {
      await importReport('first.json', [
        vulnerability({ cves, modified: march, name: 'Known', description: 'rich', vector: v31 }),
      ]);
      const second = await importReport('second.json', [
        vulnerability({ cves, modified: april, name: 'Other', description: 'poor' }),
      ]);
      expect(await only(vulnerabilities())).toMatchObject({ description: 'poor', cvss_score: 10 });
      const { id } = await only(vulnerabilities());
      await harness.inside((trx) =>
        trx
          .updateTable('vulnerability')
          .set({ name: 'Edited', edited_fields: ['name'] })
          .execute(),
      );
      if (how === 'deleted') await harness.remove(second.fileId);
      else await importReport('second.json', [threat()]);
      expect(await only(vulnerabilities())).toMatchObject({
        id,
        name: 'Edited',
        description: 'rich',
        cvss_score: 10,
        severity: 10,
        source_file: 'first.json',
        source_modified: new Date(march),
        version: 3,
      });
    },
  );

  it('keep the values of the one that was extracted first, also when the other was uploaded before it', async () => {
    const before = await harness.read(
      'before.json',
      bundle([vulnerability({ cves, modified: april, name: 'B' })]),
    );
    await importReport('first.json', [vulnerability({ cves, modified: april, name: 'A' })]);
    expect(await again(before.fileId)).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await only(vulnerabilities())).toMatchObject({ name: 'A', version: 1 });
  });

  it.each([
    ['first', ['rich', 'poor']],
    ['last', ['poor', 'rich']],
  ])('fill what the newer one leaves empty, also when it is uploaded %s', async (_order, names) => {
    const said: Record<string, StixObject> = {
      rich: vulnerability({ cves, modified: march, name: 'Rich', description: 'rich', vector: v31 }),
      poor: vulnerability({ cves, modified: april, name: 'Poor' }),
    };
    const files = new Map<string, string>();
    for (const name of names)
      files.set(name, (await importReport(`${name}.json`, [said[name] ?? threat()])).fileId);
    expect(await only(vulnerabilities())).toMatchObject({
      name: 'Poor',
      description: 'rich',
      cvss_score: 10,
      cvss_version: '3.1',
      severity: 10,
      source_modified: new Date(april),
      version: 2,
    });
    for (const fileId of files.values()) expect(await again(fileId)).toMatchObject({ unchanged: 1 });
    await harness.remove(files.get('rich') ?? '');
    expect(await only(vulnerabilities())).toMatchObject({
      name: 'Poor',
      description: '',
      cvss_score: null,
      severity: null,
    });
  });

  it('keep nothing of a former version of an object', async () => {
    const object = vulnerability({ cves, modified: march, description: 'former', vector: v31 });
    await importReport('first.json', [object]);
    await importReport('other.json', [vulnerability({ cves, modified: march, name: 'Other' })]);
    const later = vulnerability({ cves, modified: april, name: 'Rejected' });
    await importReport('second.json', [{ ...later, id: object['id'] }]);
    expect(await only(vulnerabilities())).toMatchObject({
      name: 'Rejected',
      description: '',
      cvss_score: null,
    });
  });

  it('are withdrawn when the objects of both are, and active when one of them is again', async () => {
    const [a, b] = [vulnerability({ cves, modified: march }), vulnerability({ cves, modified: march })];
    await importReport('a.json', [{ ...a, name: 'A' }]);
    await importReport('b.json', [{ ...b, name: 'B', description: 'by b' }]);
    await importReport('b2.json', [{ ...b, modified: april, revoked: true }]);
    expect(await only(vulnerabilities())).toMatchObject({ withdrawn: null, name: 'A', description: '' });
    const a2 = await importReport('a2.json', [{ ...a, modified: april, revoked: true }]);
    expect(await only(vulnerabilities())).toMatchObject({ withdrawn: 'revoked' });
    await harness.remove(a2.fileId);
    expect(await only(vulnerabilities())).toMatchObject({ withdrawn: null, name: 'A' });
  });

  it('are not withdrawn by an object that is revoked in its first report', async () => {
    await importReport('a.json', [vulnerability({ cves, modified: march })]);
    await importReport('b.json', [vulnerability({ cves, modified: april, revoked: true })]);
    expect(await only(vulnerabilities())).toMatchObject({ withdrawn: null, version: 1 });
  });

  it('keep the values of the newer one when the older one is deleted', async () => {
    const first = await importReport('first.json', [vulnerability({ cves, modified: march, name: 'Old' })]);
    await importReport('second.json', [vulnerability({ cves, modified: april, name: 'New' })]);
    await harness.remove(first.fileId);
    expect(await only(vulnerabilities())).toMatchObject({ name: 'New', version: 2 });
  });

  it('in objects of one file follow new versions and withdrawals of each object', async () => {
    const [x, y] = [vulnerability({ cves, modified: march, name: 'X' }), vulnerability({ cves })];
    const said = { ...y, ...vulnerability({ cves, modified: '2024-01-01T00:00:00.000Z', vector: v31 }) };
    await importReport('a.json', [x, { ...said, id: y['id'], name: 'Y', description: 'by y' }]);
    expect(await only(vulnerabilities())).toMatchObject({ name: 'X', description: 'by y', cvss_score: 10 });
    const newer = await importReport('b.json', [{ ...x, modified: april, name: 'X2' }]);
    expect(await only(vulnerabilities())).toMatchObject({ name: 'X2', description: 'by y', cvss_score: 10 });
    await harness.remove(newer.fileId);
    await importReport('c.json', [{ ...x, modified: april, revoked: true }]);
    expect(await only(vulnerabilities())).toMatchObject({ name: 'Y', withdrawn: null });
    await importReport('d.json', [{ ...y, modified: april, revoked: true }]);
    expect(await only(vulnerabilities())).toMatchObject({ withdrawn: 'revoked' });
  });

  it('have the strictest of their TLP labels, in one file or two', async () => {
    const [red, clear] = [
      'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
      'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
    ].map((id) => ({ object_marking_refs: [id] }));
    const secret = { ...vulnerability({ cves, modified: march, description: 'secret' }), ...red };
    const open = { ...vulnerability({ cves, modified: april, name: 'Newer' }), ...clear };
    await importReport('red.json', [secret]);
    await importReport('clear.json', [open]);
    const label = { description: 'secret', details: expect.objectContaining({ tlp: 'TLP:RED' }) };
    expect(await only(vulnerabilities())).toMatchObject(label);
    await importReport('both.json', [
      { ...open, external_references: [{ source_name: 'cve', external_id: spring }] },
      { ...secret, external_references: [{ source_name: 'cve', external_id: spring }] },
    ]);
    expect((await vulnerabilities()).find(({ cve_id: id }) => id === spring)).toMatchObject(label);
  });

  it('keep a name that says more than the CVE id', async () => {
    await importReport('first.json', [vulnerability({ cves, modified: march, name: 'Log4Shell' })]);
    await importReport('second.json', [vulnerability({ cves, modified: april, name: cves[0] ?? '' })]);
    expect(await only(vulnerabilities())).toMatchObject({
      name: 'Log4Shell',
      source_modified: new Date(april),
    });
  });

  it('share one record also if one is STIX 1.1.1 and the other 2.1', async () => {
    const old = await harness.read('a.xml', stix1Package([[{ title: 'From 1.1.1', cve: 'CVE-2021-44228' }]]));
    await checkExtraction(harness, await harness.extract(old.fileId));
    expect(
      await importReport('b.json', [vulnerability({ cves, name: 'From 2.1', modified: march })]),
    ).toMatchObject({
      created: 0,
      updated: 1,
    });
    expect(await only(vulnerabilities())).toMatchObject({
      name: 'From 2.1',
      source_modified: new Date(march),
    });
    expect(await again(old.fileId)).toMatchObject({ unchanged: 1 });
  });
});

describe.each(['America/Los_Angeles', 'Pacific/Auckland'])('the discovery day in a process in %s', (zone) => {
  let originalZone: string | undefined;
  beforeEach(() => {
    originalZone = process.env['TZ'];
    process.env['TZ'] = zone;
  });
  afterEach(() => {
    if (originalZone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = originalZone;
  });

  it.each([
    ['2024-05-01T00:00:00Z', '2024-05-01'],
    ['2024-05-01T23:30:00-08:00', '2024-05-01'],
    ['2024-05-01T00:30:00+13:00', '2024-05-01'],
  ])('of a STIX 1.x time %s is the written day %s', async (discovered, day) => {
    const { fileId } = await harness.read('a.xml', stix1Package([[{ title: 'Overflow', discovered }]]));
    await harness.extract(fileId);
    expect(await only(vulnerabilities())).toMatchObject({ discovery_date: day });
  });

  it('of a STIX 2.x object is the day of its time in UTC', async () => {
    await importReport('a.json', [
      { ...vulnerability({}), x_elevator_discovered_datetime: '2024-05-01T00:00:00Z' },
    ]);
    expect(await only(vulnerabilities())).toMatchObject({ discovery_date: '2024-05-01' });
  });
});

it('an extraction keeps edited fields and updates the others', async () => {
  await importReport('a.json', [
    vulnerability({ cves, name: 'Reported', description: 'old', modified: march }),
  ]);
  await harness.inside((trx) =>
    trx
      .updateTable('vulnerability')
      .set({ name: 'Edited', edited_fields: ['name'] })
      .execute(),
  );
  const newer = vulnerability({ cves, name: 'Reported again', description: 'new', modified: april });
  expect(await importReport('b.json', [newer])).toMatchObject({ updated: 1 });
  expect(await only(vulnerabilities())).toMatchObject({ name: 'Edited', description: 'new', version: 2 });
});

describe('a new version of a report', () => {
  const first = vulnerability({ cves, name: 'Kept', description: 'old', modified: march });
  const score = () =>
    harness.inside((trx) =>
      trx
        .updateTable('vulnerability')
        .set({ cwss_score: 54.1 })
        .where('cve_id', '=', cves[0] ?? '')
        .execute(),
    );

  it.each([
    ['newer', april],
    ['of the same time', march],
    ['older', '2024-02-01T00:00:00.000Z'],
  ])('keeps the records that it has too, with their ids and scores: %s', async (_, modified) => {
    await importReport('a.json', [first, vulnerability({ cves: [spring] }), threat()]);
    const before = (await vulnerabilities()).find(({ name }) => name === 'Kept');
    await score();
    const next = { ...first, description: 'new', modified };
    expect(await importReport('a.json', [next])).toMatchObject({ created: 0, updated: 1 });
    expect(await only(vulnerabilities())).toMatchObject({
      id: before?.id,
      description: 'new',
      cwss_score: 54.1,
      source_file: 'a.json',
      source_modified: new Date(modified),
      version: 2,
    });
    expect(await threats()).toEqual([]);
    const { fileId } = await harness.read('a.json', bundle([next]));
    expect(await again(fileId)).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  it('changes nothing of what it still states except the newest report, also while it is read and not extracted', async () => {
    const scored = vulnerability({ cves, modified: march, name: 'Scored', vector: v31 });
    await importReport('feed.json', [scored]);
    await importReport('other.json', [vulnerability({ cves, modified: '2024-01-01T00:00:00.000Z' })]);
    const before = { ...(await only(vulnerabilities())), source_file: 'feed.json' };
    const { fileId } = await harness.read('feed.json', bundle([scored, threat()]));
    expect(await only(vulnerabilities())).toEqual(before);
    expect(await again(fileId)).toMatchObject({ updated: 0, created: 1 });
    expect(await only(vulnerabilities())).toEqual(before);
  });

  it('that revokes an object keeps its record and marks it, until the report is deleted', async () => {
    const { fileId } = await importReport('a.json', [first, threat()]);
    const before = (await vulnerabilities())[0]?.id;
    await score();
    const revoked = [{ ...first, modified: april, revoked: true }];
    expect(await importReport('a.json', revoked)).toMatchObject({ created: 0, skipped: 1 });
    expect(await only(vulnerabilities())).toMatchObject({
      id: before,
      withdrawn: 'revoked',
      cwss_score: 54.1,
    });
    expect(await threats()).toEqual([]);
    await importReport('a.json', [{ ...first, modified: may }]);
    expect(await only(vulnerabilities())).toMatchObject({ id: before, withdrawn: null });
    await importReport('a.json', [{ ...first, modified: may, revoked: true }]);
    await harness.remove(fileId);
    expect(await vulnerabilities()).toEqual([]);
    expect(await orphans(harness)).toEqual([]);
  });

  it('that cannot be read leaves the records of the old one', async () => {
    const { fileId } = await importReport('a.json', [first, threat()]);
    const before = await vulnerabilities();
    const { parseJobId } = await harness.store('a.json', bundle([first]).slice(0, -5), ['vulnerabilities']);
    await harness.run(parseJobId);
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'failed' });
    expect(await vulnerabilities()).toEqual(before);
    expect(await threats()).toHaveLength(1);
    const next = await importReport('a.json', [{ ...first, description: 'new', modified: april }]);
    expect(next).toMatchObject({ fileId, updated: 1 });
    expect(await only(vulnerabilities())).toMatchObject({ id: before[0]?.id, description: 'new' });
    await harness.remove(fileId);
    expect(await vulnerabilities()).toEqual([]);
    expect(await orphans(harness)).toEqual([]);
  });

  const withdrawnRecords = async () => ({
    vulnerability: await vulnerabilities(),
    threat: await only(threats()),
  });

  it.each(['cannot be read', 'is not extracted', 'is extracted'])(
    'that withdraws the same objects again changes no record, also when it %s',
    async (how) => {
      const [elsewhere, actor] = [vulnerability({ cves: [spring], modified: march }), threat()];
      await importReport('other.json', [elsewhere]);
      await importReport('a.json', [first, actor]);
      const revoked = [first, elsewhere, actor].map((item) => ({ ...item, modified: april, revoked: true }));
      const { fileId } = await importReport('a.json', revoked);
      const before = await withdrawnRecords();
      expect([...before.vulnerability, before.threat].map(({ withdrawn }) => withdrawn)).toEqual(
        Array(3).fill('revoked'),
      );
      const next = bundle([...revoked, vulnerability({ cves: ['CVE-2024-1000'] })]);
      const { parseJobId } = await harness.store(
        'a.json',
        how === 'cannot be read' ? next.slice(0, -5) : next,
      );
      expect(await withdrawnRecords()).toEqual(before);
      await harness.run(parseJobId);
      expect(await withdrawnRecords()).toEqual(before);
      if (how === 'is extracted') {
        await again(fileId);
        expect((await vulnerabilities()).slice(0, 2)).toEqual(before.vulnerability);
      }
      await harness.remove(fileId);
      expect(await only(vulnerabilities())).toMatchObject({ cve_id: spring, withdrawn: null });
      expect(await threats()).toEqual([]);
    },
  );

  it('that no longer withdraws an object makes the record of another report active when it has been read', async () => {
    await importReport('other.json', [first]);
    await importReport('a.json', [{ ...first, modified: april, revoked: true }]);
    const { parseJobId } = await harness.store('a.json', bundle([threat()]));
    expect(await only(vulnerabilities())).toMatchObject({ withdrawn: 'revoked' });
    await harness.run(parseJobId);
    expect(await only(vulnerabilities())).toMatchObject({
      withdrawn: null,
      source_modified: new Date(march),
    });
    expect(harness.recorded.events).toContainEqual(
      expect.objectContaining({ type: 'vulnerability.changed', action: 'updated', count: 1 }),
    );
  });

  it('that is older than another report gives its place to that report', async () => {
    await importReport('a.json', [{ ...first, modified: may }]);
    await importReport('b.json', [vulnerability({ cves, description: 'other', modified: april })]);
    expect(await importReport('a.json', [{ ...first, description: 'back', modified: march }])).toMatchObject({
      updated: 1,
    });
    expect(await only(vulnerabilities())).toMatchObject({
      description: 'other',
      source_modified: new Date(april),
    });
  });
});

it('an edited record is kept when its last report is deleted', async () => {
  const { fileId } = await importReport('a.json', [vulnerability({ cves }), threat()]);
  await harness.inside((trx) =>
    trx
      .updateTable('vulnerability')
      .set({ edited_fields: ['name'] })
      .execute(),
  );
  await harness.remove(fileId);
  expect(await only(vulnerabilities())).toMatchObject({ source_file: '' });
  expect(await threats()).toEqual([]);
});

it.each([
  ['older', april, march],
  ['without a time', april, undefined],
  ['never with a time', undefined, undefined],
])('an edited record takes the values of a new version of its only report: %s', async (_, before, after) => {
  const text = (description: string, modified: string | undefined) =>
    bundle([{ ...vulnerability({ cves, description }), modified }]);
  const first = await harness.read('a.json', text('old', before));
  await checkExtraction(harness, await harness.extract(first.fileId));
  await harness.inside((trx) =>
    trx
      .updateTable('vulnerability')
      .set({ name: 'Edited', edited_fields: ['name'] })
      .execute(),
  );
  const second = await harness.read('a.json', text('new', after));
  expect(await checkExtraction(harness, await harness.extract(second.fileId))).toMatchObject({ updated: 1 });
  expect(await only(vulnerabilities())).toMatchObject({
    name: 'Edited',
    description: 'new',
    source_file: 'a.json',
    source_modified: after === undefined ? null : new Date(after),
  });
});

it('a vulnerability with a changed CWSS factor is kept when its last report is deleted', async () => {
  const { fileId } = await importReport('a.json', [vulnerability({ cves }), vulnerability({})]);
  await harness.inside((trx) =>
    trx
      .updateTable('vulnerability')
      .set({ cwss_overrides: ['AP'] })
      .where('cve_id', '=', cves[0] ?? '')
      .execute(),
  );
  await harness.remove(fileId);
  expect(await only(vulnerabilities())).toMatchObject({ cve_id: cves[0], source_file: '' });
});

it('a deleted record is created again by the next extraction', async () => {
  const { fileId } = await importReport('a.json', [vulnerability({ cves })]);
  await harness.inside((trx) => trx.deleteFrom('vulnerability').execute());
  await checkImportReport(harness, fileId);
  expect(await again(fileId)).toMatchObject({ created: 1 });
});

describe('a withdrawn object', () => {
  const id = 'malware--22222222-2222-4222-8222-222222222222';
  const at = (modified: string, fields: Record<string, unknown> = {}) => threat({ id, modified, ...fields });

  it('is skipped, listed with its location, and never created', async () => {
    const result = await importReport('a.json', [threat(), at(march, { revoked: true })]);
    expect(result).toMatchObject({ created: 1, skipped: 1 });
    expect(result.issues).toEqual([
      {
        location: '/objects/1',
        type: 'malware',
        stixId: id,
        outcome: 'revoked',
        reason: 'The report marks it as revoked',
      },
    ]);
  });

  it.each([
    ['revoked', { revoked: true }],
    ['deprecated', { x_mitre_deprecated: true }],
  ])('marks the record that an earlier report created: %s', async (withdrawn, fields) => {
    await importReport('a.json', [at(march)]);
    await importReport('b.json', [at(april, fields)]);
    expect(await only(threats())).toMatchObject({ withdrawn, source_file: 'a.json', version: 2 });
  });

  it('marks a record that is extracted after it, in any order of the reports', async () => {
    await importReport('b.json', [at(april, { revoked: true })]);
    expect(await importReport('a.json', [at(march), threat()])).toMatchObject({ created: 2 });
    const marked = (await threats()).filter(({ withdrawn }) => withdrawn !== null);
    expect(marked).toMatchObject([{ key: `stix:${id}`, withdrawn: 'revoked' }]);
  });

  it('no longer marks a record when its report is deleted, unless another one withdraws it too', async () => {
    await importReport('a.json', [at(march)]);
    const b = await importReport('b.json', [at(april, { revoked: true })]);
    const c = await importReport('c.json', [at(may, { revoked: true })]);
    await harness.remove(b.fileId);
    expect(await only(threats())).toMatchObject({ withdrawn: 'revoked' });
    await harness.remove(c.fileId);
    expect(await only(threats())).toMatchObject({ withdrawn: null, source_modified: new Date(march) });
    expect(await importReport('d.json', [at(april, { name: 'Back' })])).toMatchObject({ updated: 1 });
  });

  it('does not mark a record that was modified later', async () => {
    await importReport('a.json', [at(april)]);
    await importReport('b.json', [at(march, { revoked: true })]);
    expect(await only(threats())).toMatchObject({ withdrawn: null, version: 1 });
  });

  it('stays withdrawn after an older version, and is active again after a newer one', async () => {
    await importReport('march.json', [at('2024-02-01T00:00:00.000Z')]);
    await importReport('april.json', [at(april, { revoked: true })]);
    expect(await importReport('late.json', [at(march, { name: 'Older' })])).toMatchObject({ unchanged: 1 });
    expect(await only(threats())).toMatchObject({ withdrawn: 'revoked', name: 'A threat' });
    expect(await importReport('may.json', [at(may, { name: 'Back' })])).toMatchObject({ updated: 1 });
    expect(await only(threats())).toMatchObject({ withdrawn: null, name: 'Back' });
  });
});

describe('repeated extraction', () => {
  it('of the same report changes nothing the second time', async () => {
    const { fileId } = await importReport('a.json', [
      vulnerability({ cves }),
      vulnerability(),
      threat({ revoked: true }),
      threat(),
    ]);
    const before = await snapshot(harness);
    expect(await again(fileId)).toMatchObject({ created: 0, updated: 0, unchanged: 3, skipped: 1 });
    const after = await snapshot(harness);
    for (const table of ['vulnerability', 'threat', 'report_record', 'report_file'])
      expect(after[table]).toEqual(before[table]);
  });

  it('of a kind that is requested twice counts it once, in any order', async () => {
    const { fileId } = await harness.read('a.json', bundle([vulnerability({ cves }), threat()]));
    const kinds = [...ExtractKind.options, ...ExtractKind.options].toReversed();
    expect((await harness.extract(fileId, kinds)).result).toMatchObject({
      records: 2,
      created: 2,
      unchanged: 0,
    });
  });

  it('of one kind does not change the other', async () => {
    const { fileId } = await harness.read('a.json', bundle([vulnerability({ cves }), threat()]));
    const result = await checkExtraction(harness, await harness.extract(fileId, ['threats']));
    expect(result).toMatchObject({ kinds: ['threats'], records: 1, created: 1 });
    expect(result.byKind).toEqual({ threats: { created: 1, updated: 0, unchanged: 0, skipped: 0 } });
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 0, threat: 1 });
  });
});

it(
  'an extraction of thousands of records has exact counts, and lists at most 1,000 ids and 200 issues',
  { timeout: 60_000 },
  async () => {
    const revoked = Array.from({ length: 300 }, () => vulnerability({ revoked: true }));
    const objects = [...manyVulnerabilities(5990), ...revoked, threat()];
    const result = await importReport('a.json', objects);
    expect(result).toMatchObject({ records: 6291, created: 5991, skipped: 300 });
    expect(new Set(result.createdIds).size).toBe(1000);
    const newer = objects.map((item) => ({ ...item, modified: april }));
    expect(await importReport('b.json', newer)).toMatchObject({
      created: 0,
      updated: 5991,
      unchanged: 0,
      skipped: 300,
    });
    const some = [...newer.slice(0, 5500), ...manyVulnerabilities(700, 50_000)];
    expect(await importReport('c.json', some)).toMatchObject({ created: 700, updated: 0, unchanged: 5500 });
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 6690, threat: 1 });
  },
);

it('an extraction publishes and logs what it changed', async () => {
  const { fileId } = await importReport('a.json', [vulnerability({ cves }), vulnerability(), threat()]);
  const published = harness.recorded.events.filter(({ type }) => type !== 'job.updated').slice(-3);
  expect(published).toEqual([
    { type: 'file.changed', ids: [fileId], count: 1, action: 'updated', by: null },
    { type: 'vulnerability.changed', count: 2, action: 'changed', by: null },
    { type: 'threat.changed', count: 1, action: 'changed', by: null },
  ]);
  const activity = await harness.inside((trx) => trx.selectFrom('activity').selectAll().execute());
  expect(activity).toMatchObject([
    {
      action: 'report.extracted',
      noun_id: fileId,
      name: 'a.json',
      actor: '',
      via: 'system',
      detail: { created: 3 },
    },
  ]);
});

it('an extraction publishes no event for a kind without records, and one for records that another file changed', async () => {
  const publishedBy = async (name: string) => {
    const from = harness.recorded.events.length;
    await importReport(name, [vulnerability({ cves })]);
    return harness.recorded.events.slice(from).filter(({ type }) => /^(?:vulnerability|threat)/u.test(type));
  };
  const event = { type: 'vulnerability.changed', count: 1, action: 'changed', by: null };
  expect(await publishedBy('a.json')).toEqual([event]);
  expect(await publishedBy('b.json')).toEqual([event]);
});

it('the activity log names the user who requested the extraction', async () => {
  const [id, organization_id] = [newId(), harness.organizationId];
  const { system } = harness.database;
  const ben = { id, email: `${id}@example.org`, password_hash: 'x', first_name: 'Ben' };
  await system.insertInto('account').values(ben).execute();
  await system
    .insertInto('membership')
    .values({ organization_id, account_id: id, role: 'analyst' })
    .execute();
  const { fileId } = await harness.read('a.json', bundle([threat()]));
  const jobId = await requestExtraction(harness.database, organization_id, { fileId, kinds: ['threats'] });
  await harness.inside((trx) =>
    trx.updateTable('job').set({ created_by: id }).where('id', '=', jobId).execute(),
  );
  await harness.run(jobId);
  const activity = await harness.inside((trx) => trx.selectFrom('activity').selectAll().execute());
  expect(activity).toMatchObject([{ account_id: id, actor: `Ben <${ben.email}>`, via: 'system' }]);
});

it('an extraction from an invalid report fails', async () => {
  const { fileId } = await harness.read('a.json', '{"type": "bundle"');
  expect(await harness.extract(fileId)).toMatchObject({ state: 'failed', error_code: 'not_read', tries: 1 });
});

describe('during an extraction', () => {
  const objects = [vulnerability({ cves }), threat()];

  it.each(['received', 'missed'])(
    'a cancellation discards its results when the message is %s',
    async (how) => {
      const { fileId } = await harness.read('a.json', bundle(objects));
      const id = await requestExtraction(harness.database, harness.organizationId, {
        fileId,
        kinds: ['vulnerabilities', 'threats'],
      });
      const before = await snapshot(harness);
      const end = crashPoint();
      const run = harness.run(id, { handlers: stopBeforeCommit(end) });
      await end.reached;
      await harness.inside((trx) => cancelJobs(trx, { id }));
      if (how === 'received')
        for (const listener of harness.recorded.listeners.values()) listener(jobCancelledTopic(id));
      end.open();
      await run;
      const after = await snapshot(harness);
      for (const table of Object.keys(before).filter((name) => name !== 'job'))
        expect(after[table]).toEqual(before[table]);
      expect(await harness.job(id)).toMatchObject({ state: 'cancelled', result: null });
    },
  );

  it('a cancellation stops it between two batches', async () => {
    const { fileId } = await harness.read('a.json', bundle(objects));
    const id = await requestExtraction(harness.database, harness.organizationId, {
      fileId,
      kinds: ['threats'],
    });
    let run: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      await lockAssertions(trx);
      run = harness.run(id);
      await lockWaits(harness.database);
      for (const listener of harness.recorded.listeners.values()) listener(jobCancelledTopic(id));
    });
    await run;
    expect(await threats()).toEqual([]);
  });

  it.each(['first', 'second'])('no record is left when the deletion of its file comes %s', async (order) => {
    const { fileId } = await harness.read('a.json', bundle(objects));
    const id = await requestExtraction(harness.database, harness.organizationId, {
      fileId,
      kinds: ['vulnerabilities'],
    });
    if (order === 'first') {
      let run: Promise<void> | undefined;
      await harness.inside(async (trx) => {
        await trx.selectFrom('report_file').select('id').where('id', '=', fileId).forUpdate().execute();
        run = harness.run(id);
        await lockWaits(harness.database);
        await removeFile(trx, fileId);
      });
      await run;
    } else {
      const end = crashPoint();
      const run = harness.run(id, { handlers: stopBeforeCommit(end) });
      await end.reached;
      const removal = harness.remove(fileId);
      await lockWaits(harness.database);
      end.open();
      await Promise.all([run, removal]);
    }
    expect(await rowCounts(harness)).toMatchObject({
      report_file: 0,
      report_record: 0,
      vulnerability: 0,
      job: 0,
    });
    expect(await orphans(harness)).toEqual([]);
  });

  it.each(['first', 'second'])(
    'old and new records are not mixed when the replacement of its file comes %s',
    async (order) => {
      const { fileId } = await harness.read('a.json', bundle(objects));
      const id = await requestExtraction(harness.database, harness.organizationId, {
        fileId,
        kinds: ['vulnerabilities'],
      });
      const next = bundle([vulnerability({ cves: [spring] })]);
      const content = await storeContent(harness.database, harness.organizationId, Buffer.from(next));
      const upload = {
        organizationId: harness.organizationId,
        name: 'a.json',
        extract: ['vulnerabilities' as const],
      };
      let replacement: ReturnType<typeof saveFile>;
      if (order === 'first') {
        let run: Promise<void> | undefined;
        const saved = await harness.inside(async (trx) => {
          await trx.selectFrom('report_file').select('id').where('id', '=', fileId).forUpdate().execute();
          run = harness.run(id);
          await lockWaits(harness.database);
          return saveFile(trx, upload, content);
        });
        replacement = Promise.resolve(saved);
        await run;
        expect(await harness.job(id)).toMatchObject({ state: 'cancelled' });
      } else {
        const end = crashPoint();
        const run = harness.run(id, { handlers: stopBeforeCommit(end) });
        await end.reached;
        replacement = harness.inside((trx) => saveFile(trx, upload, content));
        await lockWaits(harness.database);
        end.open();
        await Promise.all([run, replacement]);
      }
      // The old records stay until the new report has been read.
      expect(await vulnerabilities()).toHaveLength(order === 'first' ? 0 : 1);
      const { parseJobId, extractJobId = '' } = await replacement;
      await harness.run(parseJobId);
      await harness.run(extractJobId);
      expect(await only(vulnerabilities())).toMatchObject({ key: `cve:${spring}` });
      await checkImportReport(harness, fileId);
      expect(await orphans(harness)).toEqual([]);
    },
  );

  it('the deletion of another file that asserts the same records keeps these records', async () => {
    const other = await importReport('other.json', objects);
    const { fileId } = await harness.read('a.json', bundle(objects));
    const id = await requestExtraction(harness.database, harness.organizationId, {
      fileId,
      kinds: ['vulnerabilities', 'threats'],
    });
    const end = crashPoint();
    const run = harness.run(id, { handlers: stopBeforeCommit(end) });
    await end.reached;
    const removal = harness.remove(other.fileId);
    await lockWaits(harness.database);
    end.open();
    await Promise.all([run, removal]);
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 1, threat: 1 });
    await checkImportReport(harness, fileId);
  });

  it('a record of the same key that is restored meanwhile is updated, and the others are created', async () => {
    const { fileId } = await harness.read('a.json', bundle([...objects, vulnerability({ cves: [spring] })]));
    const kinds = [...ExtractKind.options];
    const id = await requestExtraction(harness.database, harness.organizationId, { fileId, kinds });
    let run: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      // As a restoration does.
      await lockAssertions(trx);
      await trx
        .insertInto('vulnerability')
        .values({
          organization_id: harness.organizationId,
          id: newId(),
          key: `cve:${cves[0]}`,
          name: 'Restored',
        })
        .execute();
      run = harness.run(id);
      await lockWaits(harness.database);
    });
    await run;
    expect(await harness.job(id)).toMatchObject({ attempt: 1, result: { created: 2, updated: 1 } });
    expect((await vulnerabilities()).map(({ key, version }) => [key, version])).toEqual([
      [`cve:${cves[0]}`, 2],
      [`cve:${spring}`, 1],
    ]);
    await checkImportReport(harness, fileId);
  });

  it('the deletion of a record that it is about to update does not deadlock', async () => {
    const { fileId } = await harness.read('a.json', bundle(objects));
    await checkExtraction(harness, await harness.extract(fileId, ['threats']));
    const kinds = [...ExtractKind.options];
    const id = await requestExtraction(harness.database, harness.organizationId, { fileId, kinds });
    let run: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      await sql`select from threat for update`.execute(trx);
      run = harness.run(id);
      await lockWaits(harness.database);
      await trx.deleteFrom('threat').execute();
    });
    await run;
    expect(await harness.job(id)).toMatchObject({ attempt: 1, result: { created: 2 } });
    await checkImportReport(harness, fileId);
  });
});

describe('concurrent extractions', () => {
  it('of one file create each record once', async () => {
    const { fileId } = await harness.read('a.json', bundle([...manyVulnerabilities(500), threat()]));
    const jobs = await Promise.all([
      harness.extract(fileId),
      harness.extract(fileId),
      harness.extract(fileId),
    ]);
    const results = await Promise.all(jobs.map((job) => checkExtraction(harness, job)));
    expect(results.map(({ created }) => created).toSorted((a, b) => a - b)).toEqual([0, 0, 501]);
    for (const job of jobs) expect(job.attempt).toBe(1);
  });

  it('of files with the same records in different orders do not deadlock', { timeout: 60_000 }, async () => {
    const all = manyVulnerabilities(400).map((item, index) => ({
      ...item,
      id: `vulnerability--00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    }));
    const actors = Array.from({ length: 100 }, () => threat());
    const files = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        // Each file revokes a sixth of the records that the others assert.
        const objects = all.map((item, at) => ({ ...item, modified: may, revoked: at % 6 === index }));
        const order = index % 2 === 0 ? [...objects, ...actors] : [...actors, ...objects.toReversed()];
        return harness.read(`${index}.json`, bundle(order));
      }),
    );
    const jobs = await Promise.all(
      files.map(({ fileId }, index) =>
        harness.extract(
          fileId,
          index % 2 === 0 ? ['vulnerabilities', 'threats'] : ['threats', 'vulnerabilities'],
        ),
      ),
    );
    for (const job of jobs) {
      await checkExtraction(harness, job);
      expect(job.attempt).toBe(1);
    }
    expect(await rowCounts(harness)).toMatchObject({ vulnerability: 400, threat: 100 });
    await Promise.all(files.slice(1).map(({ fileId }) => harness.remove(fileId)));
    expect(await orphans(harness)).toEqual([]);
    await checkImportReport(harness, files[0]?.fileId ?? '');
  });
});

it('a report with texts that no column takes is extracted without them', async () => {
  const capec = { source_name: 'capec', external_id: `CAPEC-${'7'.repeat(10_000)}` };
  const { fileId } = await harness.read(
    'a.json',
    bundle([
      threat({ external_references: [capec] }, 'attack-pattern'),
      vulnerability({ x_misp_published: '0000-12-31T23:30:00-01:00' }),
      vulnerability({ x_elevator_discovered_datetime: '0000-12-31T23:30:00-01:00' }),
    ]),
  );
  expect(await checkExtraction(harness, await harness.extract(fileId))).toMatchObject({ created: 3 });
  const file = await harness.inside((trx) =>
    trx.selectFrom('report_file').selectAll().executeTakeFirstOrThrow(),
  );
  expect(file.warnings).toMatchObject([{ code: 'time-unusable', count: 2 }]);
});
