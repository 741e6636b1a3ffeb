import fc from 'fast-check';
import { expect, it } from 'vitest';
import { roundToSum } from './round-to-sum.ts';

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

it.each([
  [[12, -3.5, 0.5], 9, 1, [12, -3.5, 0.5]],
  [[0.0004, 0.0004, 0.0004], 0.0012, 3, [0.001, 0, 0]],
  [[1 / 3, 1 / 3, 1 / 3], 1, 2, [0.34, 0.33, 0.33]],
  [[-0.0006, 0.0016], 0.001, 3, [-0.001, 0.002]],
  [[0.1, 0.2], 0.3, 1, [0.1, 0.2]],
  // A total that was rounded down, between two rounded scores.
  [[0.5, 0.4], 0.8, 1, [0.5, 0.3]],
  [[0.6], 1.5, 0, [2]],
  [[], 0, 2, []],
])('%j with the total %d is rounded to %i decimals as %j', (values, total, decimals, expected) => {
  expect(roundToSum(values, total, decimals)).toEqual(expected);
});

it('rounded values add up to the rounded total, and each stays within two units of the last decimal', () => {
  const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      values,
      fc.integer({ min: 0, max: 3 }),
      fc.double({ min: -0.9, max: 0.9 }),
      (all, decimals, off) => {
        const unit = 10 ** decimals;
        const total = sumOf(all) + (Number.isNaN(off) ? 0 : off) / unit;
        const units = roundToSum(all, total, decimals).map((value) => Math.round(value * unit));
        expect(sumOf(units) + 0).toBe(Math.round(total * unit) + 0);
        for (const [at, value] of units.entries())
          expect(Math.abs(value - (all[at] ?? 0) * unit)).toBeLessThan(2.001);
      },
    ),
  );
});
