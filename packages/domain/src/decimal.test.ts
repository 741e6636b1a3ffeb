import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decimalNumber, writtenNumber } from './decimal.ts';

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

describe('a number as users and other programs write it', () => {
  it.each([
    ['1,250,000.50', 1_250_000.5],
    ['1 250 000,5', 1_250_000.5],
    ['1.250.000,5', 1_250_000.5],
    ['1.250.000', 1_250_000],
    ['1 250', 1250],
    ["1'250'000.5", 1_250_000.5],
    ['7,5', 7.5],
    ['0,500', 0.5],
    ['-0,125', -0.125],
    ['1,234', 1234],
    ['1.234', 1.234],
    ['1e-7', 1e-7],
    ['-3', -3],
    ['12 apples', undefined],
    ['1,23,4', undefined],
    ['7 8', undefined],
    ['', undefined],
    ['Infinity', undefined],
  ])('%j is %j', (text, value) => {
    expect(writtenNumber(text)).toBe(value);
  });

  it('any number that JavaScript writes is read back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(writtenNumber(String(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });
});
