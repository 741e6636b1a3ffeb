import { encodingOf, JsonVersionScan, XmlVersionScan } from '@riskboard/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAll } from '../testing/test-sink.ts';

const scanJson = (text: string, size: number): string | null => {
  const scan = new JsonVersionScan();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) scan.push(bytes.subarray(at, at + size));
  return scan.end();
};

const scanXml = (text: string, size: number): string | null => {
  const scan = new XmlVersionScan();
  for (let at = 0; at < text.length; at += size) scan.push(text.slice(at, at + size));
  return scan.end();
};

/** The version after reading; undefined when the file is refused. */
const readVersion = (text: string): Promise<string | null | undefined> =>
  readAll(text).then(
    ({ summary }) => summary.stixVersion,
    () => undefined,
  );

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const version = fc.constantFrom('2.0', '2.1', '2.2', '', ' ', '2.1\0', 'ö"\\', 'x'.repeat(30), 2.1, null);
const shuffled = (object: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(object, fc.array(fc.nat(), { minLength: 12, maxLength: 12 })).map(([value, order]) =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map((entry, index) => [order[index] ?? 0, entry] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, entry]) => entry),
    ),
  );

const misleading = fc.constantFrom<unknown>(
  { spec_version: '2.1', type: 'bundle', objects: [{ spec_version: '2.1' }] },
  '"spec_version":"2.1"',
  ['{', '"objects":[', '\\"'],
  ...[0, 1, 2, 3].map((count) => `${'long '.repeat(9)}${'\\'.repeat(count)}"${'\\'.repeat(count)}`),
  [[['[']]],
);
const object = shuffled(
  fc.record({
    type: fc.constantFrom('tool', 'x-thing', 'bundle'),
    id: fc.constantFrom('tool--1', 'x-thing--1'),
    spec_version: maybe(version),
    name: maybe(misleading),
    spec_versioN: maybe(misleading),
    'a long name with "quotes"': maybe(misleading),
    objects: maybe(fc.constantFrom<unknown>({ 0: { spec_version: '2.1' } }, 'text')),
  }),
);
const objects = fc.array(fc.oneof({ weight: 5, arbitrary: object }, { weight: 1, arbitrary: misleading }), {
  maxLength: 3,
});
const bundle = shuffled(
  fc.record({
    type: fc.constant('bundle'),
    spec_version: maybe(version),
    objects: maybe(objects),
    x: maybe(misleading),
  }),
);
const envelope = shuffled(
  fc.record({ more: maybe(fc.boolean()), objects: maybe(objects), spec_version: maybe(version) }),
);
const root = fc.oneof(
  bundle,
  envelope,
  object,
  fc.array(fc.oneof(bundle, envelope, object, misleading), { maxLength: 3 }),
);

test('the version of a JSON file at the upload is the version after reading', async () => {
  let accepted = 0;
  const property = fc.asyncProperty(
    root,
    fc.constantFrom(undefined, 2),
    fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 4000 })),
    async (value, space, size) => {
      const text = JSON.stringify(value, undefined, space);
      const read = await readVersion(text);
      if (read === undefined) return;
      accepted += 1;
      expect(scanJson(text, size)).toBe(read);
    },
  );
  await fc.assert(property, { numRuns: 1500 });
  expect(accepted).toBeGreaterThan(500);
});

test.each([
  [
    'of repeated members the last counts',
    '{"type":"bundle","spec_version":"2.0","spec_version":"2.1","objects":[]}',
  ],
  ['an escaped name counts', '{"type":"bundle","spec\\u005fversion":"2.0","objects":[]}'],
  [
    'an object that is too deep does not count',
    `{"objects":[{"type":"tool","id":"tool--1","spec_version":"2.1","x":${'['.repeat(128)}${']'.repeat(128)}},{"type":"tool","id":"tool--2"}]}`,
  ],
])('%s, at the upload and after reading', async (_what, text) => {
  const read = await readVersion(text);
  expect(read).toBeTypeOf('string');
  for (const size of [1, 1 << 20]) expect(scanJson(text, size)).toBe(read);
});

const packages = {
  stix: 'http://stix.mitre.org/stix-1',
  oasis: 'http://docs.oasis-open.org/cti/ns/stix/core-1',
  taxii: 'http://taxii.mitre.org/messages/taxii_xml_binding-1.1',
  other: 'urn:other',
};
const declared = (prefix: keyof typeof packages, as: string): string => `xmlns:${as}="${packages[prefix]}"`;
const decoy = fc.constantFrom(
  '<!-- <s:STIX_Package version="9"> -->',
  '<!--a-->',
  '<x><![CDATA[]]]></x>',
  '<x><![CDATA[<s:STIX_Package version="9">]]></x>',
  '<?pi <s:STIX_Package version="9"> ?>',
  `<s:STIX_Package ${declared('other', 's')} version="9"/>`,
  `<x a="<s:STIX_Package version='9'>"/>`.replace('<s:', '&lt;s:'),
  `<x a='>' b="/>"/>`,
  'text > text',
);
const pack = fc
  .tuple(
    fc.constantFrom('1.0', '1.1.1', '1.2', 'stix-1.2.1', ' 1.2\n', '1&#46;2', 'x'.repeat(99), ''),
    fc.constantFrom<'stix' | 'oasis'>('stix', 'oasis'),
    fc.array(decoy, { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([value, namespace, inside, isNested]) => {
    const nested = isNested ? `<s:STIX_Package version="1.1"></s:STIX_Package>` : '';
    const attribute = value === '' ? '' : `version='${value}'`;
    return `<s:STIX_Package ${attribute} ${declared(namespace, 's')}>${inside.join('')}${nested}</s:STIX_Package>`;
  });

test('the version of an XML file at the upload is the version after reading', async () => {
  let accepted = 0;
  const contents = fc.array(fc.oneof(pack, decoy), { maxLength: 5 }).map((parts) => parts.join(''));
  const message = contents.map(
    (inside) =>
      `<t:Poll_Response ${declared('taxii', 't')}><t:Content>${inside}</t:Content></t:Poll_Response>`,
  );
  const bare = fc.constant(`<TTP xmlns="http://stix.mitre.org/TTP-1" version="9" id="a"/>`);
  const prolog = fc.constantFrom('', '<?xml version="1.0"?>\n', '<!-- <s:STIX_Package version="9"> -->');
  const property = fc.asyncProperty(
    prolog,
    fc.oneof({ weight: 3, arbitrary: message }, pack, bare),
    fc.integer({ min: 1, max: 40 }),
    async (before, text, size) => {
      const read = await readVersion(before + text);
      if (read === undefined) return;
      accepted += 1;
      expect(scanXml(before + text, size)).toBe(read);
    },
  );
  await fc.assert(property, { numRuns: 800 });
  expect(accepted).toBeGreaterThan(300);
});

test('the encoding of a file is known by its first bytes', () => {
  const encodings = [
    Buffer.from('{"a"'),
    Buffer.from('{\0"'),
    Buffer.from('{"a"', 'utf16le'),
    Buffer.from('\0'),
  ];
  expect(encodings.map((head) => encodingOf(head).encoding)).toEqual(['utf-8', 'utf-8', 'utf-16le', 'utf-8']);
});

test.each([
  ['of deeply nested elements', '<a xmlns:b="c">'.repeat(300_000)],
  [
    'of an open element',
    `<a ${Array.from({ length: 40_000 }, (_, n) => `xmlns:p${n}="c"`).join(' ')}>${'<a xmlns:b="c"/>'.repeat(200_000)}`,
  ],
  ['of many prefixes', Array.from({ length: 200_000 }, (_, n) => `<a xmlns:p${n}="c"/>`).join('')],
])('the namespaces %s do not make the scan of an upload quadratic', (_what, content) => {
  expect(scanXml(`<t:Poll_Response ${declared('taxii', 't')}>${content}`, 1 << 17)).toBeNull();
});

describe('of a file that states thousands of versions', () => {
  const numbers = Array.from({ length: 3000 }, (_, n) => `9.${n}`);
  const eight = numbers.toSorted().slice(0, 8).join(',');

  test.each([
    [
      'objects of a bundle',
      {
        type: 'bundle',
        objects: numbers.map((spec_version) => ({ type: 'tool', id: 'tool--1', spec_version })),
      },
      '2.1',
    ],
    [
      'bundles of a list',
      numbers.map((spec_version) => ({
        type: 'bundle',
        spec_version,
        objects: [{ type: 'tool', id: 'tool--1' }],
      })),
      eight,
    ],
    [
      'objects of a list',
      [...numbers, '2.1'].map((spec_version) => ({ type: 'tool', id: 'tool--1', spec_version })),
      '2.1',
    ],
  ])('the scan and the reader find the same: %s', async (_what, value, expected) => {
    const text = JSON.stringify(value);
    expect(await readVersion(text)).toBe(expected);
    expect(scanJson(text, 4000)).toBe(expected);
  });

  test('the scan and the reader find the same: packages of a TAXII message', async () => {
    const packages = numbers.map(
      (version) => `<t:Content><s:STIX_Package ${declared('stix', 's')} version="${version}"/></t:Content>`,
    );
    const text = `<t:Poll_Response ${declared('taxii', 't')}>${packages.join('')}</t:Poll_Response>`;
    expect(await readVersion(text)).toBe(eight);
    expect(scanXml(text, 4000)).toBe(eight);
  });
});
