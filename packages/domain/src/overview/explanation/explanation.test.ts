import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { totalsFrom } from '../testing/totals-from.ts';
import { explainNumber, goodDirections } from './explanation.ts';

describe('the explanation of a number', () => {
  const amount = fc.nat({ max: 30 });
  const anyTotals = fc
    .tuple(amount, amount, amount, amount, amount, amount, amount, amount)
    .map(([critical, high, low, unrated, threats, highThreats, assets, atRisk]) =>
      totalsFrom([
        ['open', '2026-03-01', critical + high, 0],
        ['open', 'older', low + unrated, 0],
        ['openSeverity', 'critical', critical, critical * 9.5],
        ['openSeverity', 'high', high, high * 7],
        ['openSeverity', 'low', low, low * 2.1],
        ['openSeverity', 'none', unrated, 0],
        ['threats', '', threats + highThreats, 0],
        ['threatsHigh', '', highThreats, 0],
        ['threatsActive', '', threats, 0],
        ['assets', '', assets + atRisk, 0],
        ['assetsAtRisk', '', atRisk, atRisk * 1000],
      ]),
    );

  it.each([
    'overallRisk',
    'totalThreats',
    'activeThreats',
    'openVulnerabilities',
    'newVulnerabilities',
    'assetsAtRisk',
  ] as const)('%s has inputs that add up to the value', (metric) => {
    fc.assert(
      fc.property(anyTotals, (totals) => {
        const { inputs, value } = explainNumber(metric, totals, '2026-03-15');
        expect(inputs.reduce((sum, { adds }) => sum + (adds ?? Number.NaN), 0)).toBe(value);
        expect(
          inputs.every(({ weight, value: of, adds }) => weight === undefined || weight * of === adds),
        ).toBe(true);
      }),
    );
  });

  it('divides the inputs of rate and exposure', () => {
    const totals = totalsFrom([
      ['open', '2026-03-01', 1, 0],
      ['open', 'older', 2, 0],
      ['openSeverity', 'critical', 2, 19],
      ['openSeverity', 'medium', 1, 4.5],
    ]);
    const rate = explainNumber('remediationRate', totals, '2026-03-15');
    expect([rate.value, rate.inputs.map(({ value }) => value)]).toEqual([25, [1, 3]]);
    const exposure = explainNumber('riskExposure', totals, '2026-03-15');
    expect([exposure.value, exposure.inputs.map(({ value }) => value)]).toEqual([7.8, [23.5, 3]]);
    expect(exposure.bands.filter(({ current }) => current).map(({ label }) => label)).toEqual(['High']);
  });

  it('states the assets at risk and the sum of their costs for the estimated impact', () => {
    const { value, inputs } = explainNumber(
      'estimatedImpact',
      totalsFrom([['assetsAtRisk', '', 2, 14_742_000]]),
      '2026-03-15',
    );
    expect(value).toBe(14_742_000);
    expect(inputs.map((input) => [input.name, input.value])).toEqual([
      ['Assets at risk', 2],
      ['Sum of their replacement and recovery costs', 14_742_000],
    ]);
  });

  it('marks exactly one band of score and status', () => {
    fc.assert(
      fc.property(anyTotals, (totals) => {
        for (const metric of ['overallRisk', 'securityStatus'] as const) {
          const { bands } = explainNumber(metric, totals, '2026-03-15');
          expect(bands.filter(({ current }) => current)).toHaveLength(1);
        }
      }),
    );
  });

  it('says that a higher remediation rate and otherwise a lower number is better', () => {
    expect(Object.entries(goodDirections).filter(([, good]) => good === 'higher')).toEqual([
      ['remediationRate', 'higher'],
    ]);
  });
});
