import { describe, expect, test } from 'vitest';
import { readReport } from '../read-report.ts';
import type { ReportObject } from '../report-sink.ts';
import { readAll } from '../../testing/test-sink.ts';

const opens =
  '<s:STIX_Package xmlns:s="http://stix.mitre.org/stix-1" xmlns:c="http://stix.mitre.org/common-1" version="1.2">';
const pack = (inside: string): string => `${opens}${inside}</s:STIX_Package>`;
const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `<${prefix}${n}/>`);

describe('children of more than 1,000 names', () => {
  const locations = async (inside: string): Promise<string[]> =>
    (await readAll(pack(inside))).objects.map(({ location }) => location);

  test('have their position among all children, others theirs among those of their name', async () => {
    const first = '<s:TTP id="a"/>';
    const known = '<s:Indicator id="b"/>';
    const further = '<s:Campaign id="c"/>';
    const inside = [first, known, ...names('x', 1500), first, known, further, further];
    expect(await locations(inside.join(''))).toEqual([
      '/s:STIX_Package/s:TTP[1]',
      '/s:STIX_Package/s:Indicator[1]',
      '/s:STIX_Package/s:TTP[2]',
      '/s:STIX_Package/s:Indicator[2]',
      '/s:STIX_Package/*[1505]',
      '/s:STIX_Package/*[1506]',
    ]);
  });

  test('are steps in the locations of the elements inside them', async () => {
    const inside = [...names('x', 1500), '<s:TTPs><s:TTP id="a"/></s:TTPs>'];
    expect(await locations(inside.join(''))).toEqual(['/s:STIX_Package/*[1501]/s:TTP[1]']);
  });

  test('are those of all open elements together', async () => {
    const inner = '<y/><s:TTP id="a"/>';
    const inside = `<c:A>${names('x', 600).join('')}<c:B>${names('x', 600).join('')}${inner}</c:B></c:A><c:C>${inner}</c:C>`;
    expect(await locations(inside)).toEqual([
      '/s:STIX_Package/c:A[1]/c:B[1]/*[602]',
      '/s:STIX_Package/c:C[1]/s:TTP[1]',
    ]);
  });
});

describe('a name or namespace that would be repeated for each object', () => {
  const long = 'n'.repeat(2001);

  test.each([
    ['in a location', `<${long}><s:TTP id="a"/></${long}>`, 'The path of an XML element is longer'],
    ['in an id', `<s:TTPs xmlns:e="${long}"><s:TTP id="e:1"/></s:TTPs>`, 'The namespace of an id is longer'],
  ])('%s is refused with its place', async (_where, inside, message) => {
    await expect(readAll(pack(inside))).rejects.toThrow(`${message} than 2,000 characters. (line 1`);
  });
});

test('an id that is long by itself is shortened, and stays different from another one', async () => {
  const ids = ['a', 'b'].map((end) => `${'i'.repeat(5000)}${end}`);
  const actors = ids.map((id) => `<s:Threat_Actor id="e:${id}"><x/></s:Threat_Actor>`).join('');
  const { objects, records } = await readAll(pack(`<s:TTPs xmlns:e="urn:e">${actors}</s:TTPs>`));
  const shown = objects.map(({ stixId }) => stixId ?? '');
  for (const id of shown) expect(id).toMatch(/^\{urn:e\}i{1993}… sha256:[0-9a-f]{64}$/u);
  expect(new Set(shown).size).toBe(2);
  expect(records.map(({ stixId }) => stixId)).toEqual(shown);
  expect(records.map(({ key }) => key)).toEqual(ids.map((id) => `stix1:{urn:e}${id}`));
});

test('the location of a warning is shortened', async () => {
  const taxii = 'xmlns:t="http://taxii.mitre.org/messages/taxii_xml_binding-1.1"';
  const long = 'n'.repeat(5000);
  const content = `<t:Content_Block><t:Content>${pack('')}</t:Content></t:Content_Block>`;
  const other = `<${long}><t:Content_Block><t:Content><x/></t:Content></t:Content_Block></${long}>`;
  const { summary } = await readAll(`<t:Poll_Response ${taxii}>${content}${other}</t:Poll_Response>`);
  const warning = summary.warnings.find(({ code }) => code === 'content-not-stix');
  expect(warning?.location).toHaveLength(2001);
});

describe('a construct of more than 32 MiB', () => {
  const text = 'x'.repeat(1024 * 1024);
  const large = `<c:Description>${text}</c:Description>`.repeat(33);

  test('fails with the constructs inside it that are not complete, in the order of the file', async () => {
    const inside = `<s:TTP id="a"><s:TTP id="b"/><s:TTP>${large}<s:TTP id="d"/><s:Indicator id="e"/></s:TTP></s:TTP><s:TTP id="f"/>`;
    const { objects, summary } = await readAll(pack(inside));
    expect(objects.map(({ ordinal, stixId, outcome }) => [ordinal, stixId, outcome])).toEqual([
      [0, 'a', 'failed'],
      [1, 'b', 'unmapped'],
      [2, null, 'failed'],
      [3, 'd', 'failed'],
      [4, 'e', 'unmapped'],
      [5, 'f', 'unmapped'],
    ]);
    expect(objects[0]?.reason).toBe('The construct is larger than 32 MiB');
    expect(summary).toMatchObject({ objectTotal: 6, failed: 3, unmapped: 3 });
  });

  test('fails if its first content comes after those 32 MiB', async () => {
    const attribute = `<s:TTP note="${text}">`;
    const inside = `<s:TTP id="a">${'<x>'.repeat(5)}${attribute.repeat(34)}text${'</s:TTP>'.repeat(34)}${'</x>'.repeat(5)}</s:TTP>`;
    const { objects } = await readAll(pack(inside));
    expect(objects.map(({ ordinal, outcome }) => `${ordinal} ${outcome}`)).toEqual(
      Array.from({ length: 35 }, (_, ordinal) => `${ordinal} failed`),
    );
  });

  test('does not keep the objects inside it until it closes', async () => {
    const objects: ReportObject[] = [];
    let before = 0;
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${opens}<s:TTP id="a">${large}${'<s:Indicator id="b"/>'.repeat(1000)}`);
      before = objects.length;
      yield Buffer.from('</s:TTP></s:STIX_Package>');
    }
    const sink = {
      object: (object: ReportObject) => void objects.push(object),
      record: () => undefined,
      relation: () => undefined,
      flush: async () => {},
    };
    await readReport(chunks, sink, { sha256: '0'.repeat(64) });
    expect(objects).toHaveLength(1001);
    expect(before).toBeGreaterThan(900);
  });

  test('is one with many empty attributes, or with long names', async () => {
    const attributes = Array.from({ length: 1000 }, (_, n) => `a${n}=""`).join(' ');
    const contents = [
      `<x ${attributes}/>`.repeat(600),
      `<${'x'.repeat(100_000)}/>`.repeat(340),
      `<x ${'a'.repeat(100_000)}=""/>`.repeat(340),
    ];
    for (const content of contents)
      expect((await readAll(pack(`<s:TTP id="a">${content}</s:TTP>`))).objects).toMatchObject([
        { outcome: 'failed', reason: 'The construct is larger than 32 MiB' },
      ]);
  });
});
