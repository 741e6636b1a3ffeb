import { describe, expect, test } from 'vitest';
import { readAll } from '../../testing/test-sink.ts';

/** XML 1.0 section 2.2: neither these characters nor references to them are XML. */
const forbidden = [
  ['a reference to NUL', '&#0;'],
  ['a hexadecimal reference to NUL', '&#x0;'],
  ['a reference to a lone surrogate', '&#xD800;'],
  ['a reference to a surrogate pair', '&#xD83D;&#xDE00;'],
  ['a reference to U+FFFE', '&#xFFFE;'],
  ['NUL', '\0'],
  ['a control character', '\u0001'],
  ['U+FFFE', '\uFFFE'],
] as const;

const positions = {
  text: (bad: string) => `<stix:TTP id="ex:1"><ttp:Title>a${bad}b</ttp:Title></stix:TTP>`,
  'an id': (bad: string) => `<stix:TTP id="ex:${bad}"/>`,
  'an attribute': (bad: string) => `<stix:TTP id="ex:1" timestamp="${bad}"/>`,
  'a namespace name': (bad: string) => `<stix:TTP id="ex:1" xmlns:x="urn:${bad}"/>`,
} as const;

const pack = (content: string): string =>
  `<stix:STIX_Package xmlns:stix="http://stix.mitre.org/stix-1" xmlns:ttp="http://stix.mitre.org/TTP-1"
    xmlns:ex="urn:ex" version="1.2">
    ${content}
  </stix:STIX_Package>`;

describe.each(Object.entries(positions))('in %s', (_position, content) => {
  test.each(forbidden)('%s makes the file malformed, with line and column', async (_what, bad) => {
    const reading = readAll(pack(content(bad)));
    await expect(reading).rejects.toMatchObject({ code: 'malformed' });
    await expect(reading).rejects.toThrow(/^Malformed XML: [^]* \(line 3, column \d+\)$/);
    await expect(reading).rejects.not.toThrow(/[\0\uD800-\uDFFF]/u);
  });
});

test('a lone surrogate in UTF-16 is an encoding error', async () => {
  const text = `\uFEFF${pack(positions.text('\uD800'))}`;
  const reading = readAll(Buffer.from(text, 'utf16le'));
  await expect(reading).rejects.toMatchObject({ code: 'encoding' });
});

test('a reference to a character outside the basic plane is read', async () => {
  const { records } = await readAll(pack(positions.text('&#x1F600;')));
  expect(records[0]?.name).toBe('a\u{1F600}b');
});
