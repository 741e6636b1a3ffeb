import { describe, expect, test } from 'vitest';
import { readAll, type ReadResult } from '../testing/test-sink.ts';

const namespaces = [
  'xmlns:stix="http://stix.mitre.org/stix-1"',
  'xmlns:c="http://stix.mitre.org/common-1"',
  'xmlns:et="http://stix.mitre.org/ExploitTarget-1"',
  'xmlns:ttp="http://stix.mitre.org/TTP-1"',
  'xmlns:ex="http://example.org/intel"',
].join(' ');
const pack = (content: string): string =>
  `<stix:STIX_Package ${namespaces} version="1.2">${content}</stix:STIX_Package>`;
const repeat = (count: number, of: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => of(n)).join('');

const cves = (count: number): string => repeat(count, (n) => `CVE-2024-${10_000 + n} `);
const target = (inside: string): string =>
  pack(
    `<stix:Exploit_Targets><c:Exploit_Target id="ex:et-1">${inside}</c:Exploit_Target></stix:Exploit_Targets>`,
  );
const ttp = (inside: string): string =>
  pack(`<stix:TTPs><stix:TTP id="ex:ttp-1"><ttp:Title>T</ttp:Title>${inside}</stix:TTP></stix:TTPs>`);
const patterns = (count: number, of = (n: number) => `<ttp:Attack_Pattern idref="ex:a${n}"/>`): string =>
  `<ttp:Behavior><ttp:Attack_Patterns>${repeat(count, of)}</ttp:Attack_Patterns></ttp:Behavior>`;
const targets = (count: number): string =>
  `<ttp:Exploit_Targets>${repeat(count, (n) => `<ttp:Exploit_Target idref="ex:t${n}"/>`)}</ttp:Exploit_Targets>`;
const named = (n: number): string => `<ttp:Attack_Pattern><ttp:Title>A${n}</ttp:Title></ttp:Attack_Pattern>`;

const vulnerability = (ids: string, fields: object = {}): string =>
  JSON.stringify({
    type: 'bundle',
    id: 'bundle--11111111-1111-4111-8111-111111111111',
    objects: [
      {
        type: 'vulnerability',
        spec_version: '2.1',
        id: 'vulnerability--11111111-1111-4111-8111-111111111111',
        created: '2024-01-01T00:00:00.000Z',
        modified: '2024-01-02T00:00:00.000Z',
        external_references: [{ source_name: 'cve', external_id: ids }],
        ...fields,
      },
    ],
  });

const outcome = ({ objects, records, relations }: ReadResult) => ({
  reason: objects[0]?.reason,
  records: records.length,
  relations: relations.length,
});

describe('an object whose texts would be repeated for many records or relations fails', () => {
  test.each([
    ['CVE ids of a 2.x vulnerability', vulnerability(cves(1001)), '1,001 CVE ids; at most 1,000'],
    [
      'CVE ids of a 1.x vulnerability',
      target(`<et:Vulnerability><et:CVE_ID>${cves(1001)}</et:CVE_ID></et:Vulnerability>`),
      '1,001 CVE ids; at most 1,000',
    ],
    [
      'vulnerabilities of an exploit target',
      target(repeat(1001, () => '<et:Vulnerability/>')),
      '1,001 vulnerabilities; at most 1,000',
    ],
    ['parts of a TTP', ttp(patterns(1001, named)), '1,001 attack patterns, malware and tools; at most 1,000'],
    [
      'parts of a TTP, each with each of its targets',
      ttp(patterns(101) + targets(100)),
      '10,100 relations to exploit targets; at most 10,000',
    ],
  ])('%s', async (_, report, counts) => {
    expect(outcome(await readAll(report))).toEqual({
      reason: `The object has ${counts} are read`,
      records: 0,
      relations: 0,
    });
  });

  test.each([
    ['a description', vulnerability(cves(500), { description: 'x'.repeat(20_000) })],
    [
      'the description of an exploit target',
      target(
        `<et:Description>${'x'.repeat(20_000)}</et:Description>${repeat(500, () => '<et:Vulnerability/>')}`,
      ),
    ],
    [
      'the description of a TTP',
      ttp(`<ttp:Description>${'x'.repeat(20_000)}</ttp:Description>${patterns(500, named)}`),
    ],
  ])('%s', async (_, report) => {
    expect(outcome(await readAll(report))).toEqual({
      reason: 'The texts of the object are too long to be copied to its 500 records',
      records: 0,
      relations: 0,
    });
  });

  test('up to these limits they are read', async () => {
    expect(outcome(await readAll(vulnerability(cves(1000), { description: 'x'.repeat(5000) })))).toEqual({
      reason: null,
      records: 1000,
      relations: 0,
    });
    expect(outcome(await readAll(vulnerability(cves(100), { description: 'x'.repeat(1_000_000) })))).toEqual({
      reason: null,
      records: 100,
      relations: 0,
    });
    expect(outcome(await readAll(ttp(patterns(100) + targets(100))))).toMatchObject({
      records: 0,
      relations: 10_000,
    });
  });
});

describe('a record keeps, with a warning', () => {
  const read = async (fields: object) => {
    const { records, summary } = await readAll(vulnerability('CVE-2024-10000', fields));
    const [record] = records;
    if (record?.kind !== 'vulnerability') throw new Error('No vulnerability');
    return { data: record.data, warnings: summary.warnings.map(({ code }) => code) };
  };

  test('65,536 characters of a text', async () => {
    const { data, warnings } = await read({ description: 'x'.repeat(70_000) });
    expect(data.description).toBe(`${'x'.repeat(65_535)}…`);
    expect(warnings).toEqual(['no-name', 'text-too-long']);
    expect((await read({ description: 'x'.repeat(65_536) })).warnings).toEqual(['no-name']);
  });

  test('1,000 entries of a list, and 65,536 characters of all of them', async () => {
    const references = (count: number, length: number) =>
      Array.from({ length: count }, () => ({ source_name: 'a', url: 'x'.repeat(length - 1) }));
    const kept = async (count: number, length: number) => {
      const cve = { source_name: 'cve', external_id: 'CVE-2024-10000' };
      const { data, warnings } = await read({ external_references: [cve, ...references(count, length)] });
      return [data.references?.length, warnings.includes('list-too-long')];
    };
    expect(await kept(1000, 10)).toEqual([1000, false]);
    expect(await kept(1001, 10)).toEqual([1000, true]);
    expect(await kept(16, 4096)).toEqual([16, false]);
    expect(await kept(17, 4096)).toEqual([16, true]);
  });
});
