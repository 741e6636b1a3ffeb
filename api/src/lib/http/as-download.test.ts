import { describe, expect, it } from 'vitest';
import { attachment } from './as-download.ts';

/** The file name as a browser parses it (RFC 8187). */
const savedAs = (header: string): string => decodeURIComponent(header.split("''")[1] ?? '');

describe('the file name of a download', () => {
  it.each([
    ['report.json', 'report.json'],
    ['Bericht-Ü-日本-🔑.json', 'Bericht-Ü-日本-🔑.json'],
    ["it's (1) 100% *.json", "it's (1) 100% *.json"],
    ['a"; filename="b.exe', 'a"; filename="b.exe'],
    ['a\r\nSet-Cookie: rb_session=1\r\n\r\n<script>.json', 'aSet-Cookie: rb_session=1<script>.json'],
    ['a\u0000b\u007fc\u009bd.json', 'abcd.json'],
    ['invoice\u202Enosj.exe', 'invoicenosj.exe'],
    ['a\u2028b\u2029c\u2066d\u200f.json', 'abcd.json'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.json', 'evil.json'],
    ['folder/', 'download'],
    ['..', 'download'],
    ['.bashrc', 'bashrc'],
    ['', 'download'],
    ['\r\n\u0000', 'download'],
    ['a\uD800b.json', 'a\uFFFDb.json'],
    [`${'x'.repeat(300)}.json`, `${'x'.repeat(250)}.json`],
    [`${'é'.repeat(300)}.json`, `${'é'.repeat(125)}.json`],
    [`${'🔑'.repeat(300)}.json`, `${'🔑'.repeat(62)}.json`],
    [`${'x'.repeat(300)}.json - import report.csv`, `${'x'.repeat(251)}.csv`],
  ])('%j is saved as %j', (name, saved) => {
    const header = attachment(name);
    expect(savedAs(header)).toBe(saved);
    expect(Buffer.byteLength(savedAs(header))).toBeLessThanOrEqual(255);
    // token and ext-value of RFC 6266 and 8187: nothing that ends a parameter, a line or the header.
    expect(header).toMatch(/^attachment; filename="[\w.\- ]+"; filename\*=UTF-8''[\w.!~%-]+$/u);
  });
});
