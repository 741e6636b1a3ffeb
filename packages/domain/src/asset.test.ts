import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetPriority, businessCriticality, costRanges, costText } from './asset.ts';

describe('the criticality text of an asset (spec 9, Assets)', () => {
  it.each([
    [5, 'Mission Critical', 'Critical', 'Critical'],
    [4, 'Mission Critical', 'Critical', 'Critical'],
    [3, 'Business Critical', 'High', 'High'],
    [2, 'Operational', 'Moderate', 'Medium'],
    [1, 'Operational', 'Moderate', 'Low'],
  ])('of criticality %i is %s, with impact %s and priority %s', (criticality, label, impact, priority) => {
    expect(businessCriticality(criticality)).toMatchObject({ label, impact });
    expect(assetPriority(criticality)).toBe(priority);
  });

  it('of an asset without a criticality does not exist', () => {
    expect(businessCriticality(null)).toBeUndefined();
    expect(assetPriority(null)).toBeUndefined();
  });
});

describe('the text of a cost (spec 9, Cost display)', () => {
  it.each([
    [0, '$0'],
    [0.5, '$0.5'],
    [999, '$999'],
    [999.999, '$999.99'],
    [1000, '$1K'],
    [1500, '$1.5K'],
    [30_000, '$30K'],
    [625_000, '$625K'],
    [999_999, '$999.9K'],
    [1_000_000, '$1.0M'],
    [1_250_000, '$1.3M'],
    [2_000_000, '$2.0M'],
    [1e12, '$1,000,000.0M'],
  ])('%d is %s', (amount, text) => expect(costText(amount)).toBe(text));

  it('has M exactly from a million, K exactly from a thousand, and grows with the amount', () => {
    const valueOf = (text: string) => Number.parseFloat(text.replaceAll(/[$,]/gu, ''));
    const factors = { M: 1e6, K: 1e3 } as const;
    const read = (text: string) => valueOf(text) * (factors[text.at(-1) as 'M' | 'K'] ?? 1);
    const amount = fc.double({ min: 0, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        expect(costText(one).endsWith('M')).toBe(one >= 1e6);
        expect(costText(one).endsWith('K')).toBe(one >= 1e3 && one < 1e6);
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(read(costText(less))).toBeLessThanOrEqual(read(costText(more)));
        expect(Math.abs(read(costText(one)) - one)).toBeLessThanOrEqual(Math.max(0.01, one * 0.1));
      }),
    );
  });

  it('of each range is inside the range that its label names', () => {
    const texts = costRanges.map(({ value, label, range }) => [label, range, costText(value)]);
    expect(texts).toEqual([
      ['Minimal', 'under $10K', '$5K'],
      ['Low', '$10K-50K', '$30K'],
      ['Medium', '$50K-250K', '$150K'],
      ['High', '$250K-1M', '$625K'],
      ['Very High', 'over $1M', '$2.0M'],
    ]);
  });
});
