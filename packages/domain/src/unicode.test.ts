import { expect, it } from 'vitest';
import { isVisible, normalized, oneLine } from './unicode.ts';

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
])('%j on one line is %j', (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});
