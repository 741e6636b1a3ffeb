import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countValues } from './json-values.ts';

test.each([
  ['0', 0],
  ['[]', 1],
  ['[{},[]]', 4],
  ['{"a":[1, 2],"b":{}}', 5],
  [JSON.stringify(['[{,', '\\"{,', '\\\\', '\\']), 4],
])('%s has this number of commas and opening brackets: %i', (text, count) => {
  expect(countValues(text, 100)).toEqual({ count, end: text.length });
});

test('the count is that of the values, with one more for each empty list or object', () => {
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const inner = Object.values(value);
    return inner.reduce<number>((sum, item) => sum + count(item), inner.length === 0 ? 2 : 1);
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // The outermost value follows no comma.
      expect(countValues(JSON.stringify(value), Infinity).count).toBe(count(value) - 1);
    }),
  );
});

test('counting ends after one more than the greatest number', () => {
  expect(countValues('[0,0,0,0,0]', 3)).toEqual({ count: 4, end: '[0,0,0,'.length });
});
