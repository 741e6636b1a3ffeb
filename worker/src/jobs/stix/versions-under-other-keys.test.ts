import { newId } from '@riskboard/db';
import { recordRowsVisited } from '@riskboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkExtraction } from '../../testing/import-report.ts';
import { bundle, manyVulnerabilities, type StixObject, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type HarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

/** Reads and extracts a report, and checks its counts. @returns the id of the file */
async function importReport(name: string, content: StixObject[] | string): Promise<string> {
  const { fileId } = await harness.read(name, typeof content === 'string' ? content : bundle(content));
  await checkExtraction(harness, await harness.extract(fileId));
  return fileId;
}

/** The records as '<name> <state>', by name. */
const recordsOf = (table: 'vulnerability' | 'threat'): Promise<string[]> =>
  harness.inside(async (trx) => {
    const rows = await trx.selectFrom(table).select(['name', 'withdrawn']).execute();
    return rows.map(({ name, withdrawn }) => `${name} ${withdrawn ?? 'active'}`).toSorted();
  });

const later = '2024-02-01T00:00:00.000Z';
/** A version of an object, whose name shows its CVEs. */
const version = (id: string, { cves = [], ...fields }: Parameters<typeof vulnerability>[0] = {}) =>
  vulnerability({ id, cves, name: cves.join(' ') || 'None', ...fields });
const [flaw, other] = [vulnerability({}).id, vulnerability({}).id];
const [one, two] = ['CVE-2021-0001', 'CVE-2021-0002'];

it.each([
  ['revokes', { revoked: true, cves: [one] }],
  ['revokes without its CVE', { revoked: true }],
])('a report that only %s an object publishes the change of its record', async (_what, fields) => {
  await importReport('a.json', [version(flaw, { cves: [one] })]);
  const from = harness.recorded.events.length;
  await importReport('b.json', [version(flaw, { modified: later, ...fields })]);
  expect(await recordsOf('vulnerability')).toEqual([`${one} revoked`]);
  expect(harness.recorded.events.slice(from)).toContainEqual(
    expect.objectContaining({ type: 'vulnerability.changed', count: 1 }),
  );
});

describe.each([
  ['the older one first', false],
  ['the newer one first', true],
])('a newer version of an object, in another report, %s', (_order, reversed) => {
  it.each([
    ['whose CVE was assigned', [], { cves: [one] }, ['CVE-2021-0001 active', 'None superseded']],
    ['whose CVE was corrected', [one], { cves: [two] }, [`${one} superseded`, `${two} active`]],
    ['that no longer names a CVE', [one], {}, [`${one} superseded`, 'None active']],
    ['that is revoked and names no CVE', [one], { revoked: true }, [`${one} revoked`]],
  ])('%s supersedes the older one, until its report is deleted', async (_what, cves, fields, records) => {
    const imports = [
      () => importReport('a.json', [version(flaw, { cves })]),
      () => importReport('b.json', [version(flaw, { modified: later, ...fields })]),
    ];
    const ids: string[] = [];
    for (const run of reversed ? imports.toReversed() : imports) ids.push(await run());
    expect(await recordsOf('vulnerability')).toEqual(records);
    await harness.remove(ids[reversed ? 0 : 1] ?? '');
    expect(await recordsOf('vulnerability')).toEqual([`${cves[0] ?? 'None'} active`]);
  });
});

it('a record stays active while another object asserts it, with the values of that one', async () => {
  await importReport('a.json', [version(flaw, { cves: [one], name: 'Flaw', description: 'Wrong' })]);
  await importReport('b.json', [version(other, { cves: [one], name: 'Other' })]);
  await importReport('c.json', [version(flaw, { cves: [two], modified: later })]);
  expect(await recordsOf('vulnerability')).toEqual([`${two} active`, 'Other active']);
  const record = await harness.inside((trx) =>
    trx.selectFrom('vulnerability').select('description').where('name', '=', 'Other').executeTakeFirst(),
  );
  expect(record?.description).toBe('');
});

it('an object that is merged with others is superseded, and supersedes, as a single one', async () => {
  const merged = (cve: string, modified?: string) => [
    version(other, { cves: [cve] }),
    version(flaw, { cves: [cve], ...(modified !== undefined && { modified }) }),
  ];
  await importReport('a.json', merged(one));
  await importReport('b.json', [version(other, { cves: [two], modified: later })]);
  expect(await recordsOf('vulnerability')).toEqual([`${one} active`, `${two} active`]);
  await importReport('c.json', merged('CVE-2021-0003', '2024-03-01T00:00:00.000Z'));
  expect(await recordsOf('vulnerability')).toEqual([
    `${one} superseded`,
    `${two} active`,
    'CVE-2021-0003 active',
  ]);
});

it('what a person has added stays on the record, which a new version of the other report makes active again', async () => {
  await importReport('a.json', [version(flaw, { cves: [one] })]);
  await harness.inside((trx) =>
    trx
      .updateTable('vulnerability')
      .set({ description: 'Mine', edited_fields: ['description'] })
      .execute(),
  );
  await importReport('b.json', [version(flaw, { cves: [two], modified: later })]);
  expect(await recordsOf('vulnerability')).toEqual([`${one} superseded`, `${two} active`]);
  await importReport('b.json', [version(other, { cves: [two] })]);
  expect(await recordsOf('vulnerability')).toEqual([`${one} active`, `${two} active`]);
  const record = await harness.inside((trx) =>
    trx.selectFrom('vulnerability').select('description').where('name', '=', one).executeTakeFirst(),
  );
  expect(record?.description).toBe('Mine');
});

it('a newer version of a TTP of STIX 1.x that no longer names a malware supersedes its threat', async () => {
  const ttp = (timestamp: string, names: string[]): string => `
    <s:STIX_Package xmlns:s="http://stix.mitre.org/stix-1" xmlns:t="http://stix.mitre.org/TTP-1" xmlns:e="urn:e" version="1.2">
      <s:TTPs><s:TTP id="e:ttp" timestamp="${timestamp}"><t:Behavior><t:Malware>${names
        .map((name) => `<t:Malware_Instance><t:Name>${name}</t:Name></t:Malware_Instance>`)
        .join('')}</t:Malware></t:Behavior></s:TTP></s:TTPs></s:STIX_Package>`;
  await importReport('a.xml', ttp('2015-01-01T00:00:00Z', ['Ant', 'Bee']));
  const newer = await importReport('b.xml', ttp('2016-01-01T00:00:00Z', ['Ant']));
  expect(await recordsOf('threat')).toEqual(['Ant active', 'Bee superseded']);
  await harness.remove(newer);
  expect(await recordsOf('threat')).toEqual(['Ant active', 'Bee active']);
});

it('objects that no report has under another key are looked up once each', async () => {
  const recorded = await openHarnessDatabase();
  try {
    const statements = await recordRowsVisited(recorded.test, recorded.database.pool, { aboveMs: 0 });
    const own = await recorded.open();
    for (const from of [10_000, 20_000]) {
      const { fileId } = await own.read(`${newId()}.json`, bundle(manyVulnerabilities(300, from)));
      await own.extract(fileId);
    }
    const looked = statements().filter(({ text }) => text.includes('own as materialized'));
    expect(looked).not.toEqual([]);
    for (const { rows, text, plan } of looked)
      expect(rows, `${text} ${JSON.stringify(plan)}`).toBeLessThan(5000);
  } finally {
    await recorded.close();
  }
});
