import { expect, test } from 'vitest';
import { readAll } from '../../testing/test-sink.ts';

const root = '<s:STIX_Package xmlns:s="http://stix.mitre.org/stix-1" version="1.2"/>';
const order =
  'the XML declaration contains a name other than version, encoding and standalone, in this order.';

test.each([
  ['a short unknown name', '<?xml version="1.0" encoding="UTF-8" standalone="yes" x="1"?>', order],
  ['a long unknown name', '<?xml version="1.0" encoding="UTF-8" standalone="yes" name="1"?>', order],
  ['no version', '<?xml encoding="UTF-8"?>', order],
  ['a wrong order', '<?xml version="1.0" standalone="yes" encoding="UTF-8"?>', order],
  ['a wrong version', '<?xml version="2"?>', 'version number must match /^1\\.[0-9]+$/.'],
  ['a value without quotes', '<?xml version=1.0?>', 'value must be quoted.'],
])(
  'an XML declaration with %s is refused with what is wrong, and the line',
  async (_what, declaration, message) => {
    const reading = readAll(`${declaration}\n${root}`);
    await expect(reading).rejects.toMatchObject({ code: 'malformed' });
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toThrow(/\(line 1, column \d+\)$/);
    await expect(reading).rejects.not.toThrow(/undefined|expected one of *[.(]/);
  },
);

const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>${root}`;
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const mark = 'as its byte order mark shows';

test.each([
  ['utf-8', utf16, `but its bytes are UTF-16LE, ${mark}.`],
  ['utf-8', (text: string) => utf16(text).swap16(), `but its bytes are UTF-16BE, ${mark}.`],
  ['utf-16be', utf16, `but its bytes are UTF-16LE, ${mark}.`],
  ['utf-16', (text: string) => Buffer.from(text), 'but its bytes are UTF-8.'],
  ['iso-8859-1', utf16, 'but only UTF-8, or UTF-16 with a byte order mark, is read.'],
])('a declared encoding %s that the bytes do not have is refused: %#', async (encoding, encode, problem) => {
  const reading = readAll(encode(declared(encoding)));
  await expect(reading).rejects.toMatchObject({
    code: 'encoding',
    message: `The XML declares the encoding ${encoding}, ${problem}`,
  });
});

test('character references in namespace names are resolved', async () => {
  const text = root
    .replace('stix-1', 'stix&#x2D;1')
    .replace(
      '/>',
      '><s:TTP id="a"><t:Title xmlns:t="http&#58;//stix.mitre.org/TTP-1">Rat</t:Title></s:TTP></s:STIX_Package>',
    );
  const { records, summary } = await readAll(text);
  expect(records).toMatchObject([{ type: 'ttp', name: 'Rat' }]);
  expect(summary.wrapper).toBe('STIX_Package');
});

test.each([
  ['<s:TTP>\n<u:Title/></s:TTP>', 'unbound namespace prefix: "u". (line 2, column 10)'],
  ['\n<s:TTP x="1" x="2"/>', 'duplicate attribute: x. (line 2, column 20)'],
  ['\n<s:TTP s:x:y="1"/>', 'malformed name: s:x:y. (line 2, column 16)'],
  ['\n<?s:style x?>', 'disallowed character in processing instruction name. (line 2, column 4)'],
])('names that break the rules of namespaces are refused with their place: %#', async (inside, message) => {
  const text = root.replace('/>', `>${inside}</s:STIX_Package>`);
  await expect(readAll(text)).rejects.toMatchObject({
    code: 'malformed',
    message: `Malformed XML: ${message}`,
  });
});

test.each([
  [
    'report.json',
    '<{"type": "bundle"}',
    /^Not valid JSON: the file starts with "<".* Malformed XML: .*\(line 1, column \d+\)$/u,
  ],
  ['REPORT.JSON', '< {}', /^Not valid JSON: /u],
  ['report.xml', '<{"type": "bundle"}', /^Malformed XML: /u],
  [undefined, '<{"type": "bundle"}', /^Malformed XML: /u],
])('a malformed file named %s is refused with a sentence about its kind: %#', async (name, text, message) => {
  const reading = readAll(text, undefined, name);
  await expect(reading).rejects.toMatchObject({ code: 'malformed' });
  await expect(reading).rejects.toThrow(message);
});

test('an XML report is read regardless of its name', async () => {
  const { summary } = await readAll(root, undefined, 'report.json');
  expect(summary.media).toBe('xml');
});
