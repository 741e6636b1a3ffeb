import { expect, it } from 'vitest';
import { isSameName, isVisible, normalized, oneLine, plainLine } from './unicode.ts';

const acute = '\u0301';

it('a text is composed', () => {
  expect(normalized(`Cafe${acute}`)).toBe('Café');
  expect(normalized('ﬁle', 'NFKC')).toBe('file');
});

it('a character with 30 marks is composed, and a text with one that has more stays as it is', () => {
  const below = '\u0316';
  expect(normalized(`e${acute}${below.repeat(29)}`)).toBe(`é${below.repeat(29)}`.normalize('NFC'));
  const many = `e${acute}${below.repeat(30)}`;
  expect(normalized(many)).toBe(many);
  expect(many.normalize('NFC')).not.toBe(many);
});

it.each([
  ['', false],
  [' \t\n\u00A0\u3000', false],
  ['\0\u0007\u0085', false],
  ['\u200B\u200C\u200D\u2060\uFEFF', false],
  ['\u00AD\u202E\u061C\u180E\u3164\uFE0F', false],
  ['\u200Ba', true],
  ['\u{1F468}\u200D\u{1F4BB}', true],
  ['-', true],
  ['\uFFFD', true],
])('whether %j has a visible character is %s', (text, expected) => {
  expect(isVisible(text)).toBe(expected);
});

it.each([
  ['eins\nzwei', 'eins zwei'],
  ['eins\r\n\r\nzwei\u2028drei', 'eins zwei drei'],
  ['eins  zwei', 'eins  zwei'],
  ['eins\u00A0zwei\u3000\u2009drei', 'eins zwei drei'],
  ['ei\u200Bns\u00AD\u2060\uFEFF', 'eins'],
])('%j on one line is %j', (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});

it.each([
  ['Payroll \u202Elatigid\u202C', 'Payroll latigid'],
  ['a\u0007b\u001B[31mred', 'ab[31mred'],
  [`Cafe\u200B${acute}`, 'Café'],
  [
    '\u0646\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
    '\u0646\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
  ],
  ['\u{1F468}\u200D\u{1F4BB}', '\u{1F468}\u200D\u{1F4BB}'],
])('the name %j is stored as %j', (text, expected) => {
  expect(plainLine(text)).toBe(expected);
});

it('names that look the same are the same', () => {
  expect(isSameName('Log\u200B4Shell\u00A0', 'Log4Shell')).toBe(true);
  expect(isSameName('Log4Shell', 'log4shell')).toBe(false);
});
