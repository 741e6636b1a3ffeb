import { expect, test } from 'vitest';
import { nameText, quoted } from './name-text.ts';

test.each([
  ['Log4Shell (2021)', 'Log4Shell (2021)'],
  ['Überwachung 東京', 'Überwachung 東京'],
  ['\u05E9\u05DC\u05D5\u05DD (1)', '\u2068\u05E9\u05DC\u05D5\u05DD (1)\u2069'],
  ['Bank \u0628\u0646\u0643', '\u2068Bank \u0628\u0646\u0643\u2069'],
  ['Payroll \u202Elatigid (archived)', 'Payroll latigid (archived)'],
])('the name %j in a sentence is %j', (name, expected) => {
  expect(nameText(name)).toBe(expected);
  expect(quoted(name)).toBe(`“${expected}”`);
});
