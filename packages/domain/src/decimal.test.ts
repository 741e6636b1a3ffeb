import { expect, test } from 'vitest';
import { decimalNumber } from './decimal.ts';

test.each([
  ['6.8', 6.8],
  [' 7 ', 7],
  ['-0.5', -0.5],
  ['+3', 3],
  ['.5', 0.5],
  ['5.', 5],
  ['1e1', 10],
  ['9.8E-1', 0.98],
])('%j is %d', (text, number) => {
  expect(decimalNumber(text)).toBe(number);
});

test.each([
  '',
  ' ',
  '0x9',
  '0b1',
  '0o7',
  'Infinity',
  '1e999',
  'NaN',
  '1_000',
  '1,5',
  '6.8.1',
  '.',
  'e1',
  '٣',
])('%j is no number', (text) => {
  expect(decimalNumber(text)).toBeUndefined();
});
