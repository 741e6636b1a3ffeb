import { relatedRecords, type RecordTableName } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkImportReport } from '../../testing/import-report.ts';
import { bundle, relationship, threat, vulnerability } from '../../testing/stix2.ts';
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

async function upload(name: string, content: string): Promise<void> {
  const { fileId } = await harness.read(name, content);
  await harness.extract(fileId);
}

/** What the reports relate a record to, as '<name>: <type> of <file>'. */
const relatedTo = (table: RecordTableName, name: string): Promise<string[]> =>
  harness.inside(async (trx) => {
    const { id } = await trx
      .selectFrom(table)
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    const { related } = await relatedRecords(trx, table, id);
    return related.flatMap((one) => one.relations.map(({ type, file }) => `${one.name}: ${type} of ${file}`));
  });

const malware = threat({ name: 'Emotet' });
const hole = vulnerability({ cves: ['CVE-2020-1001'] });
/** The same CVE, so that one report merges it into the same record. */
const sameHole = vulnerability({ cves: ['CVE-2020-1001'] });

it.each(['exploits', 'targets', 'has'])(
  'a relationship "%s" relates the records of its ends, whichever reports have them',
  async (type) => {
    await upload('threat.json', bundle([malware]));
    await upload('relation.json', bundle([relationship(type, malware, sameHole)]));
    await upload('vulnerabilities.json', bundle([hole, sameHole]));
    expect(await relatedTo('threat', 'Emotet')).toEqual([`CVE-2020-1001: ${type} of relation.json`]);
    expect(await relatedTo('vulnerability', 'CVE-2020-1001')).toEqual([`Emotet: ${type} of relation.json`]);
  },
);

it('a new version of a report relates only what it says itself', async () => {
  const other = vulnerability({ cves: ['CVE-2020-1002'] });
  await upload('a.json', bundle([malware, hole, other, relationship('exploits', malware, hole)]));
  expect(await relatedTo('threat', 'Emotet')).toEqual(['CVE-2020-1001: exploits of a.json']);
  await upload('a.json', bundle([malware, hole, other, relationship('targets', malware, other)]));
  expect(await relatedTo('threat', 'Emotet')).toEqual(['CVE-2020-1002: targets of a.json']);
  await upload('a.json', bundle([malware, hole, other]));
  expect(await relatedTo('threat', 'Emotet')).toEqual([]);
});

describe('a newer version of a relationship', () => {
  const other = vulnerability({ cves: ['CVE-2020-1002'] });
  const first = { ...relationship('exploits', malware, hole), modified: '2024-01-01T00:00:00.000Z' };
  const later = { modified: '2024-02-01T00:00:00.000Z' };

  it.each([
    ['of the same report', 1],
    ['of another report', 2],
  ])('that is revoked removes it: %s', async (_, files) => {
    const revoked = { ...first, ...later, revoked: true };
    const objects = [malware, hole, first];
    await upload('a.json', bundle(files === 1 ? [...objects, revoked] : objects));
    if (files === 2) await upload('b.json', bundle([revoked]));
    expect(await relatedTo('threat', 'Emotet')).toEqual([]);
    expect(await relatedTo('vulnerability', 'CVE-2020-1001')).toEqual([]);
  });

  it.each([
    ['has a type that is not used', { relationship_type: 'uses' }],
    ['has an end of another type', { target_ref: malware['id'] }],
    [
      'is revoked and has no ends',
      { revoked: true, relationship_type: undefined, source_ref: undefined, target_ref: undefined },
    ],
  ])('that %s removes it, in one report or another, until its report is deleted', async (_, fields) => {
    const newer = { ...first, ...later, ...fields };
    const { fileId: one } = await harness.read('a.json', bundle([malware, hole, newer, first]));
    await harness.extract(one);
    await checkImportReport(harness, one);
    expect(await relatedTo('threat', 'Emotet')).toEqual([]);
    await upload('a.json', bundle([malware, hole, first]));
    expect(await relatedTo('threat', 'Emotet')).toEqual(['CVE-2020-1001: exploits of a.json']);
    const { fileId } = await harness.read('b.json', bundle([newer]));
    expect(await relatedTo('threat', 'Emotet')).toEqual([]);
    expect(await relatedTo('vulnerability', 'CVE-2020-1001')).toEqual([]);
    await checkImportReport(harness, fileId);
    const { warnings } = await harness.inside((trx) =>
      trx.selectFrom('report_file').select('warnings').where('id', '=', fileId).executeTakeFirstOrThrow(),
    );
    expect(warnings).toEqual([]);
    await harness.remove(fileId);
    expect(await relatedTo('threat', 'Emotet')).toEqual(['CVE-2020-1001: exploits of a.json']);
  });

  it.each([
    ['is revoked', { revoked: true }],
    ['has a type that is not used', { relationship_type: 'uses' }],
    ['has an end of another type', { target_ref: malware['id'] }],
  ])('does not list an older one that %s as superseded, because it is listed already', async (_, fields) => {
    const unused = { ...first, modified: '2024-01-15T00:00:00.000Z', ...fields };
    const { fileId } = await harness.read(
      'a.json',
      bundle([malware, hole, first, unused, { ...first, ...later }]),
    );
    await checkImportReport(harness, fileId);
    const file = await harness.inside((trx) =>
      trx
        .selectFrom('report_file')
        .select(['object_count', 'mapped', 'unmapped', 'superseded'])
        .where('id', '=', fileId)
        .executeTakeFirst(),
    );
    expect(file).toEqual({ object_count: 5, mapped: 3, unmapped: 1, superseded: 1 });
  });

  it('replaces it, and is listed as such, whichever comes first', async () => {
    const moved = { ...first, ...later, target_ref: other['id'] };
    const { fileId } = await harness.read('a.json', bundle([malware, hole, other, moved, first]));
    await harness.extract(fileId);
    expect(await relatedTo('threat', 'Emotet')).toEqual(['CVE-2020-1002: exploits of a.json']);
    await checkImportReport(harness, fileId);
    const file = await harness.inside((trx) =>
      trx
        .selectFrom('report_file')
        .select(['mapped', 'superseded'])
        .where('id', '=', fileId)
        .executeTakeFirst(),
    );
    expect(file).toEqual({ mapped: 4, superseded: 1 });
    await upload('b.json', bundle([{ ...first, modified: '2024-03-01T00:00:00.000Z' }]));
    expect(await relatedTo('threat', 'Emotet')).toEqual(['CVE-2020-1001: exploits of b.json']);
  });
});

it('the exploit targets of a TTP of STIX 1.x relate each of its threats to each of their vulnerabilities', async () => {
  await upload(
    'ttp.xml',
    `<s:STIX_Package xmlns:s="http://stix.mitre.org/stix-1" xmlns:c="http://stix.mitre.org/common-1"
      xmlns:t="http://stix.mitre.org/TTP-1" xmlns:et="http://stix.mitre.org/ExploitTarget-1" xmlns:e="http://example.org/"
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.1.1">
      <s:TTPs>
        <s:TTP id="e:ttp" xsi:type="t:TTPType">
          <t:Behavior>
            <t:Malware><t:Malware_Instance><t:Name>Sality</t:Name></t:Malware_Instance></t:Malware>
            <t:Attack_Patterns><t:Attack_Pattern id="e:ap"><t:Title>Drive-by</t:Title></t:Attack_Pattern></t:Attack_Patterns>
          </t:Behavior>
          <t:Exploit_Targets><t:Exploit_Target><c:Exploit_Target idref="e:target"/></t:Exploit_Target></t:Exploit_Targets>
        </s:TTP>
      </s:TTPs>
      <s:Exploit_Targets>
        <c:Exploit_Target id="e:target" xsi:type="et:ExploitTargetType">
          <et:Vulnerability><et:CVE_ID>CVE-2012-4681</et:CVE_ID></et:Vulnerability>
          <et:Vulnerability><et:CVE_ID>CVE-2013-2423</et:CVE_ID></et:Vulnerability>
        </c:Exploit_Target>
      </s:Exploit_Targets>
    </s:STIX_Package>`,
  );
  const both = ['CVE-2012-4681: targets of ttp.xml', 'CVE-2013-2423: targets of ttp.xml'];
  expect(await relatedTo('threat', 'Sality')).toEqual(both);
  expect(await relatedTo('threat', 'Drive-by')).toEqual(both);
  expect(await relatedTo('vulnerability', 'CVE-2013-2423')).toEqual([
    'Drive-by: targets of ttp.xml',
    'Sality: targets of ttp.xml',
  ]);
});
