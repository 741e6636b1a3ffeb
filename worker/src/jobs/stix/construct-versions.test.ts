import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkImportReport } from '../../testing/import-report.ts';
import { listedObjects } from '../../testing/listed-objects.ts';
import { rowCounts } from '../../testing/snapshot.ts';
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

const namespaces =
  'xmlns:s="http://stix.mitre.org/stix-1" xmlns:ta="http://stix.mitre.org/ThreatActor-1" xmlns:ttp="http://stix.mitre.org/TTP-1" xmlns:et="http://stix.mitre.org/ExploitTarget-1" xmlns:c="http://stix.mitre.org/common-1" xmlns:e="urn:e"';
const pack = (...constructs: string[]): string =>
  `<s:STIX_Package ${namespaces} version="1.2">${constructs.join('')}</s:STIX_Package>`;
const head = (id: string, timestamp: string): string =>
  `id="e:${id}" ${timestamp === '' ? '' : `timestamp="${timestamp}"`}`;
const actor = (timestamp: string, title: string, more = ''): string =>
  `<s:Threat_Actor ${head('a', timestamp)}><ta:Title>${title}</ta:Title>${more}</s:Threat_Actor>`;
const target = (id: string, timestamp: string, cve: string, more = ''): string =>
  `<c:Exploit_Target ${head(id, timestamp)}><et:Vulnerability><et:Title>${id} ${timestamp}</et:Title>${more}<et:CVE_ID>${cve}</et:CVE_ID></et:Vulnerability></c:Exploit_Target>`;
const malware = (name: string): string =>
  `<ttp:Malware_Instance><ttp:Name>${name}</ttp:Name></ttp:Malware_Instance>`;
const ttp = (timestamp: string, names: string[], targetId: string): string =>
  `<s:TTP ${head('ttp', timestamp)}><ttp:Behavior><ttp:Malware>${names.map(malware).join('')}</ttp:Malware></ttp:Behavior><ttp:Exploit_Targets><ttp:Exploit_Target><c:Exploit_Target idref="e:${targetId}"/></ttp:Exploit_Target></ttp:Exploit_Targets></s:TTP>`;

const [y2015, y2016] = ['2015-01-01T00:00:00Z', '2016-01-01T00:00:00Z'];
const described = '<ta:Description>Of the old version</ta:Description>';
const descriptionOfCve = '<et:Description>Of the old version</et:Description>';

/** Parses a report and checks its counts. @returns its records and the objects that are not mapped */
async function read(content: string) {
  const { fileId } = await harness.read('a.xml', content);
  await checkImportReport(harness, fileId);
  const objects = await listedObjects(harness);
  return harness.inside(async (trx) => ({
    records: await trx.selectFrom('report_record').selectAll().orderBy('ordinal').orderBy('key').execute(),
    objects,
    file: await trx.selectFrom('report_file').selectAll().executeTakeFirstOrThrow(),
  }));
}

const at = (step: string) => `/s:STIX_Package/${step}`;

describe('of several versions of one construct of STIX 1.x the newest counts', () => {
  it.each([
    ['newest last', pack(actor(y2015, 'older', described), actor(y2016, 'newer')), 1],
    ['newest first', pack(actor(y2016, 'newer'), actor(y2015, 'older', described)), 2],
  ])(
    '%s: a field that it leaves empty is empty, and the older one is superseded',
    async (_what, content, old) => {
      const { records, objects, file } = await read(content);
      expect(records).toMatchObject([{ name: 'newer', modified: new Date(y2016), objects: null }]);
      expect(records[0]?.data).toEqual({ sourceIds: ['{urn:e}a'] });
      expect(objects).toMatchObject([
        {
          outcome: 'superseded',
          type: 'ThreatActor',
          stix_id: '{urn:e}a',
          location: at(`s:Threat_Actor[${old}]`),
          reason: `A newer version of the same object is at ${at(`s:Threat_Actor[${3 - old}]`)}`,
        },
      ]);
      expect(file).toMatchObject({ object_count: 2, mapped: 1, superseded: 1, threat_records: 1 });
    },
  );

  it('also when they name other CVEs', async () => {
    const old = target('et', y2015, 'CVE-2015-0001;CVE-2015-0003', descriptionOfCve);
    const { records, objects } = await read(pack(old, target('et', y2016, 'CVE-2015-0002')));
    expect(records.map(({ key }) => key)).toEqual(['cve:CVE-2015-0002']);
    expect(objects).toMatchObject([{ outcome: 'superseded', type: 'ExploitTarget' }]);
  });

  it('also with fewer malware instances, which have keys of their own, and with its relations', async () => {
    const { records, objects } = await read(
      pack(
        ttp(y2015, ['VerOld1', 'VerOld2'], 'old'),
        target('old', '', 'CVE-2015-0001'),
        ttp(y2016, ['VerNew1'], 'new'),
        target('new', '', 'CVE-2015-0002'),
      ),
    );
    expect(records.filter(({ kind }) => kind === 'threat').map(({ name }) => name)).toEqual(['VerNew1']);
    expect(objects).toMatchObject([{ outcome: 'superseded', type: 'TTP', stix_id: '{urn:e}ttp' }]);
    const relations = await harness.inside((trx) =>
      trx.selectFrom('report_relation').select('target_id').execute(),
    );
    expect(relations).toEqual([{ target_id: '{urn:e}new' }]);
  });

  it('at its position, among other constructs with the same CVE', async () => {
    const cve = 'CVE-2015-0001';
    const { records } = await read(
      pack(target('a', y2015, cve), target('b', '', cve), target('a', y2016, cve)),
    );
    expect(records).toMatchObject([
      { name: 'b', location: at('c:Exploit_Target[2]'), source_ids: ['{urn:e}b', '{urn:e}a'] },
    ]);
  });

  it('in each of two content blocks of a TAXII message', async () => {
    const block = (content: string) => `<t:Content_Block><t:Content>${content}</t:Content></t:Content_Block>`;
    const message = `<t:Poll_Response xmlns:t="http://taxii.mitre.org/messages/taxii_xml_binding-1.1">${[
      pack(target('et', y2015, 'CVE-2015-0001')),
      pack(target('et', y2016, 'CVE-2015-0002')),
    ]
      .map(block)
      .join('')}</t:Poll_Response>`;
    const { records, objects } = await read(message);
    expect(records.map(({ key }) => key)).toEqual(['cve:CVE-2015-0002']);
    expect(objects).toHaveLength(1);
  });

  it('the extraction takes its values', async () => {
    const old = target('et', y2015, 'CVE-2015-0001', descriptionOfCve);
    const { fileId } = await harness.read('a.xml', pack(old, target('et', y2016, 'CVE-2015-0001')));
    await harness.extract(fileId);
    const rows = await harness.inside((trx) =>
      trx.selectFrom('vulnerability').select(['description', 'details']).execute(),
    );
    expect(rows).toEqual([{ description: '', details: { sourceIds: ['{urn:e}et'] } }]);
    expect(await rowCounts(harness)).toMatchObject({ report_object: 1 });
  });
});

describe('versions of one construct of STIX 1.x whose times do not decide are merged', () => {
  it.each([
    ['equal times', pack(actor(y2015, 'first'), actor(y2015, 'second', described)), 'first'],
    ['no times', pack(actor('', 'first'), actor('', 'second', described)), 'first'],
    ['one without a time', pack(actor('', 'timeless', described), actor(y2015, 'timed')), 'timed'],
  ])('%s', async (_what, content, name) => {
    const { records, objects } = await read(content);
    expect(records).toMatchObject([{ name, data: { description: 'Of the old version' } }]);
    expect(objects).toEqual([]);
  });

  it('name their id once', async () => {
    const { records } = await read(
      pack(target('et', y2015, 'CVE-2015-0001'), target('et', y2015, 'CVE-2015-0001')),
    );
    expect(records).toMatchObject([{ source_ids: ['{urn:e}et'], data: { sourceIds: ['{urn:e}et'] } }]);
  });

  it('count as one of the objects with the same CVE, at the position of the first', async () => {
    const cve = 'CVE-2015-0001';
    const { records } = await read(pack(target('a', '', cve), target('b', '', cve), target('a', y2016, cve)));
    expect(records).toMatchObject([{ name: `a ${y2016}`, location: at('c:Exploit_Target[3]') }]);
  });
});
