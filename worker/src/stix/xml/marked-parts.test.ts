import { describe, expect, test } from 'vitest';
import { readAll, type ReadResult } from '../../testing/test-sink.ts';
import { mostParts } from './marked-parts.ts';

const namespaces = [
  'xmlns:stix="http://stix.mitre.org/stix-1"',
  'xmlns:c="http://stix.mitre.org/common-1"',
  'xmlns:et="http://stix.mitre.org/ExploitTarget-1"',
  'xmlns:ttp="http://stix.mitre.org/TTP-1"',
  'xmlns:m="http://data-marking.mitre.org/Marking-1"',
  'xmlns:ex="urn:ex"',
].join(' ');

const read = (inside: string): Promise<ReadResult> =>
  readAll(`<stix:STIX_Package ${namespaces} version="1.2">${inside}</stix:STIX_Package>`);

const marking = (path: string, color: string): string =>
  `<m:Marking>${path === '' ? '' : `<m:Controlled_Structure>${path}</m:Controlled_Structure>`}<m:Marking_Structure color="${color}"/></m:Marking>`;
const header = (...markings: string[]): string =>
  `<stix:STIX_Header><stix:Handling>${markings.join('')}</stix:Handling></stix:STIX_Header>`;
const target = (id: string, inside = ''): string =>
  `<c:Exploit_Target id="ex:${id}">${inside}<et:Vulnerability/></c:Exploit_Target>`;
const list = (inside: string): string => `<stix:Exploit_Targets>${inside}</stix:Exploit_Targets>`;
const ttp = (id: string, inside = ''): string =>
  `<stix:TTP id="ex:${id}"><ttp:Title>T</ttp:Title>${inside}</stix:TTP>`;

/** By the local part of the id, without those that have no label. */
function labelsIn({ records }: ReadResult): Record<string, string> {
  const marked = records.flatMap(({ stixId, data }) => {
    return data.tlp === undefined ? [] : [[stixId?.replace('{urn:ex}', ''), data.tlp]];
  });
  return Object.fromEntries(marked) as Record<string, string>;
}

const content = list(target('a') + target('b', '<et:Title>T</et:Title>')) + ttp('t');

describe('the TLP label of a marking in a header that covers a part of the package', () => {
  test.each([
    ['//c:Exploit_Target[@id="ex:a"]/descendant-or-self::node()', ['a']],
    ["//*[ @id = 'ex:a' ]//node() | //*[@id='ex:t']", ['a', 't']],
    ['//stix:Exploit_Targets//node()', ['a', 'b']],
    ['../../../../stix:Exploit_Targets/*', ['a', 'b']],
    ['//c:Exploit_Target//node()', ['a', 'b']],
    ['//Exploit_Target', ['a', 'b']],
    ['//unbound:Exploit_Target', ['a', 'b']],
    ['//et:Vulnerability/@is_known', ['a', 'b']],
    ['/stix:STIX_Package/stix:Exploit_Targets/c:Exploit_Target/et:Title/text()', ['b']],
    ['//stix:TTP//node()|//stix:TTP//@*', ['t']],
    ['//stix:Exploit_Target', []],
  ])('applies to the constructs with an element that "%s" selects', async (path, marked) => {
    const result = await read(header(marking('//node()', 'GREEN'), marking(path, 'RED')) + content);
    const all = { a: 'TLP:GREEN', b: 'TLP:GREEN', t: 'TLP:GREEN' };
    expect(labelsIn(result)).toEqual({ ...all, ...Object.fromEntries(marked.map((id) => [id, 'TLP:RED'])) });
    expect(result.summary.warnings).toEqual([]);
  });

  test.each([
    '',
    '/',
    '//node()[@id]',
    '//c:Exploit_Target[1]',
    '//et:Title/..',
    '//stix:*[@id="ex:a"]/following::et:Title',
    'ex:a',
    'not an XPath',
    `//et:${'x'.repeat(1000)}`,
    '//stix:STIX_Package[@id="ex:p"]//node()',
  ])('applies to all of the package, with a warning, when it is unclear what "%s" selects', async (path) => {
    const result = await read(header(marking('//node()', 'GREEN'), marking(path, 'RED')) + content);
    expect(labelsIn(result)).toEqual({ a: 'TLP:RED', b: 'TLP:RED', t: 'TLP:RED' });
    const location = '/stix:STIX_Package/stix:STIX_Header[1]/stix:Handling[1]';
    expect(result.summary.warnings).toMatchObject([{ code: 'marking-unclear', location, count: 1 }]);
  });

  test('adds no warning when it is not stricter than the label of the package', async () => {
    const result = await read(header(marking('//node()', 'RED'), marking('', 'GREEN')) + content);
    expect(labelsIn(result)).toEqual({ a: 'TLP:RED', b: 'TLP:RED', t: 'TLP:RED' });
    expect(result.summary.warnings).toEqual([]);
  });

  test('applies to the constructs inside the construct that it covers, in any order', async () => {
    const nested = (id: string): string =>
      `<ttp:Exploit_Targets><ttp:Exploit_Target>${target(id)}</ttp:Exploit_Target></ttp:Exploit_Targets>`;
    const outer = ttp('t', `${nested('a')}<ttp:Victim_Targeting/>${nested('b')}`);
    const result = await read(header(marking('//ttp:Victim_Targeting', 'RED')) + outer + target('c'));
    expect(labelsIn(result)).toEqual({ a: 'TLP:RED', b: 'TLP:RED' });
  });

  test('applies to constructs without an id, not to those before them', async () => {
    const unnamed = '<c:Exploit_Target><et:Vulnerability/></c:Exploit_Target>';
    const inside = `<stix:Indicator id="ex:i">${ttp('t')}${unnamed}</stix:Indicator>`;
    const { records } = await read(header(marking('//c:Exploit_Target', 'RED')) + inside);
    expect(records.map(({ data }) => data.tlp)).toEqual([undefined, 'TLP:RED']);
  });

  test('applies in the packages inside the package, and not behind it', async () => {
    const inner = (inside: string): string =>
      `<stix:Related_Packages><stix:Related_Package><stix:Package version="1.2">${inside}</stix:Package></stix:Related_Package></stix:Related_Packages>`;
    const result = await read(
      header(marking('//*[@id="ex:a"]', 'RED')) +
        inner(header(marking('//*[@id="ex:b"]', 'AMBER')) + target('a') + target('b')) +
        target('b'),
    );
    expect(result.records.map(({ data }) => data.tlp)).toEqual(['TLP:RED', 'TLP:AMBER', undefined]);
  });

  test('applies to all of the package when it covers more parts than are looked for', async () => {
    const many = Array.from({ length: mostParts }, (_, n) => marking(`//*[@id="ex:${n}"]`, 'GREEN'));
    const result = await read(header(...many, marking('//*[@id="ex:a"]', 'RED')) + content);
    expect(labelsIn(result)).toEqual({ a: 'TLP:RED', b: 'TLP:RED', t: 'TLP:RED' });
    expect(result.summary.warnings).toMatchObject([{ code: 'marking-unclear' }]);
  });
});
