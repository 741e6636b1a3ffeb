import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOf } from './counts.ts';
import { meanSeverity } from './exposure.ts';
import { exposureChange } from './exposure-change.ts';
import { remediationRate } from './overall-risk.ts';
import { riskCategories } from './risk-categories.ts';
import { totalsFrom } from './testing/totals-from.ts';

/** `numerator / denominator` rounded half up in units of the last decimal, by integers. */
const rounded = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator));

const rateOf = (newVulnerabilities: number, openVulnerabilities: number): number =>
  remediationRate({ newVulnerabilities, openVulnerabilities });

const many = { numRuns: 2000 };

/** Small enough that quotients often are exact halves. */
const count = fc.integer({ min: 1, max: 400 });

describe('ratios of counts and sums are rounded half up, as exact fractions are', () => {
  it('the remediation rates 1 of 3 and 5 of 16', () => {
    expect(changeOf((5 / 16) * 100, (1 / 3) * 100)).toEqual({ change: 6.3, changeType: 'decrease' });
  });

  it('the change of counts', () => {
    fc.assert(
      fc.property(count, count, (now, before) => {
        const change = rounded(BigInt(Math.abs(now - before)) * 1000n, BigInt(before));
        expect(changeOf(now, before).change).toBe(change / 10);
      }),
      many,
    );
  });

  it('the remediation rate, to one decimal', () => {
    fc.assert(
      fc.property(count, count, (n, open) => {
        expect(Math.round(rateOf(n, open) * 10)).toBe(rounded(BigInt(n) * 1000n, BigInt(n + open)));
      }),
      many,
    );
  });

  it('the change of remediation rates', () => {
    const rate = fc.tuple(count, count);
    fc.assert(
      fc.property(rate, rate, ([n1, o1], [n0, o0]) => {
        const [a1, a0] = [BigInt(n1 + o1), BigInt(n0 + o0)];
        const difference = BigInt(n1) * a0 - BigInt(n0) * a1;
        const change = rounded((difference < 0n ? -difference : difference) * 1000n, BigInt(n0) * a1);
        expect(changeOf(rateOf(n1, o1), rateOf(n0, o0)).change).toBe(change / 10);
      }),
      many,
    );
  });

  /** Severities have one decimal: a sum of tenths. */
  const severities = fc
    .tuple(count, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([n, mean]) => ({ count: n, tenths: Math.floor(mean * 100 * n) }));

  it('the mean severity and the value of a category', () => {
    fc.assert(
      fc.property(severities, ({ count: n, tenths }) => {
        const sum = tenths / 10;
        expect(meanSeverity({ count: n, sum })).toBe(rounded(BigInt(tenths), BigInt(n)) / 10);
        const [category] = riskCategories(totalsFrom([['openCategory', '1', n, sum]]));
        expect(category?.value).toBe(rounded(BigInt(tenths) * 10n, BigInt(n)) / 10);
      }),
      many,
    );
  });

  it('the two means of a changed exposure', () => {
    fc.assert(
      fc.property(severities, severities, (before, after) => {
        const total = ({ count: n, tenths }: typeof before) => ({ count: n, sum: tenths / 10 });
        const { from, to } = exposureChange(total(before), total(after), []);
        for (const [mean, { count: n, tenths }] of [
          [from, before],
          [to, after],
        ] as const)
          expect(mean).toBe(rounded(BigInt(tenths) * 100n, BigInt(n)) / 1000);
      }),
      many,
    );
  });
});
