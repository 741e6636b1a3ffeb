import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, unlinkedText } from './plain-text.ts';

describe('plainText', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['  Zoë 李小龍 👩‍💻  ', 'Zoë 李小龍 👩‍💻'],
    ['a\r\nBcc: victim@example.org', 'a Bcc: victim@example.org'],
    ['a\u2028b\u2029c\u0085d\te', 'a b c d e'],
    ['\u001B[31mred\u0000', '[31mred'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['a\uD800b', 'a\uFFFDb'],
    ['', ''],
  ])('converts %j to %j', (typed, expected) => {
    expect(plainText(typed)).toBe(expected);
  });

  it('cuts after 100 characters, never inside one', () => {
    expect(plainText('👍'.repeat(200))).toBe(`${'👍'.repeat(99)}…`);
    expect(plainText('a'.repeat(100))).toBe('a'.repeat(100));
  });

  it('returns one printable line for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (typed) => {
        expect(plainText(typed)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E]/u);
      }),
    );
  });
});

it.each([
  ['https://evil.example/a', 'https:\u200C//evil.\u200Cexample/a'],
  ['www.evil.example', 'www.\u200Cevil.\u200Cexample'],
  ['Dr. Ada', 'Dr. Ada'],
  ['Acme Inc.', 'Acme Inc.'],
  ['http://192.0.2.7/a', 'http:\u200C//192.\u200C0.\u200C2.\u200C7/a'],
  ['a@evil.4you.example', 'a@evil.\u200C4you.\u200Cexample'],
  ['evil.4you.example', 'evil.4you.\u200Cexample'],
  ['tel:12345', 'tel:\u200C12345'],
  ['mailto:ada', 'mailto:\u200Cada'],
  ['evil.example.json', 'evil.\u200Cexample.json'],
  ['evil.json.example', 'evil.\u200Cjson.\u200Cexample'],
  ['evil.json/a', 'evil.\u200Cjson/a'],
])('unlinkedText breaks every web address in %j', (typed, expected) => {
  expect(unlinkedText(typed)).toBe(expected);
});

it.each([
  'Risk score 7.9, above 7.5 (was 6.25).',
  'Severity 9.8.',
  'T1059.001 at 12:30 on 2026.11.30',
  'OpenSSL 3.0.7 on 192.0.2.7',
  'The report report-2026.1.json, “b.XML” (c.csv) was read: d.json.',
])('unlinkedText leaves numbers, identifiers and names of reports in %j', (typed) => {
  expect(unlinkedText(typed)).toBe(typed);
});
