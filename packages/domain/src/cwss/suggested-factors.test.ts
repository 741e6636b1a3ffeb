import { describe, expect, it } from 'vitest';
import { scoreCwss } from './score.ts';
import { cwssSensitivity } from './sensitivity.ts';
import { type FindingFacts, suggestFactors } from './suggested-factors.ts';
import { cwssVectorOf, incompleteFactors, parseCwssVector } from './vector.ts';

const metrics = (vector: string): ReadonlyMap<string, string> =>
  new Map(vector.split('/').map((part) => part.split(':') as [string, string]));

const unknown: FindingFacts = {
  impact: undefined,
  fallbackReason: 'The vulnerability has no CWE.',
  cvss: undefined,
  cveId: '',
  likelihood: undefined,
  asset: undefined,
};
const codes = (facts: Partial<FindingFacts>) =>
  Object.fromEntries(
    Object.entries(suggestFactors({ ...unknown, ...facts })).map(([factor, { code }]) => [factor, code]),
  );

const rated = (subscore: number): NonNullable<FindingFacts['impact']> => ({
  impact: 'Read data',
  layer: 'Application',
  subscore,
  notes: '',
  cwe: 89,
  inheritedFrom: null,
  tier: 'core',
});

describe('suggested factors', () => {
  it('say whether there is no weakness, or the catalogue states no likelihood of one', () => {
    expect(suggestFactors(unknown).EX.reason).toBe('The vulnerability has no CWE.');
    expect(suggestFactors({ ...unknown, likelihood: '' }).EX.reason).toBe(
      'The CWE catalogue states no likelihood of an exploit.',
    );
  });

  it('of a vulnerability about which nothing is known are mostly Default, and say why', () => {
    const factors = suggestFactors(unknown);
    expect(incompleteFactors(factors)).toHaveLength(13);
    expect(factors.TI).toEqual({
      code: 'D',
      weight: 6000,
      source: 'default',
      reason: 'The vulnerability has no CWE.',
    });
    expect(Object.values(factors).every(({ reason }) => reason.endsWith('.'))).toBe(true);
  });

  it.each([
    ['2.0', 'AV:N/AC:L/Au:N/C:C/I:C/A:C', { AP: 'A', RP: 'N', AV: 'I', AS: 'N', IN: 'D' }],
    ['2.0 with authentication', 'AV:L/AC:L/Au:S/C:P/I:C/A:C', { AP: 'D', RP: 'RU', AV: 'L', AS: 'D' }],
    ['3.1', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', { AP: 'A', RP: 'N', AV: 'I', AS: 'N', IN: 'A' }],
    [
      '3.1 with obstacles',
      'AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N',
      { AP: 'D', RP: 'A', AV: 'P', AS: 'D', IN: 'T' },
    ],
    [
      '4.0',
      'AV:A/AC:L/AT:N/PR:L/UI:A/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
      { AP: 'A', RP: 'RU', AV: 'A', IN: 'M' },
    ],
    ['4.0 with passive interaction', 'AV:N/AC:L/AT:N/PR:N/UI:P/VC:H/VI:N/VA:N', { AP: 'D', IN: 'T' }],
  ])('follow CVSS %s', (_version, vector, expected) => {
    expect(codes({ cvss: metrics(vector) })).toMatchObject(expected);
  });

  it('follow the CVE, the CWE catalogue, the asset and the vignette', () => {
    const factors = suggestFactors({
      ...unknown,
      cveId: 'CVE-2021-44228',
      likelihood: 'Medium',
      asset: { name: 'Shop', criticality: 4 },
      impact: rated(7.5),
    });
    expect(factors.TI).toMatchObject({ code: 'Q', weight: 7500, source: 'vignette' });
    expect(factors).toMatchObject({
      AL: { code: 'D', source: 'default' },
      FC: { code: 'T', source: 'CVE' },
      DI: { code: 'H', source: 'CVE' },
      EX: { code: 'M', source: 'CWE' },
      BI: { code: 'H', source: 'asset', reason: 'Shop has the criticality 4 of 5.' },
    });
    expect(parseCwssVector(cwssVectorOf(factors))).toMatchObject({ ok: true, warnings: [] });
  });

  it.each([
    [0, 0],
    [-0, 0],
    [Number.MIN_VALUE, 1],
    [0.0004, 1],
    [0.0016, 2],
    [9.9999, 10_000],
    [10, 10_000],
  ])(
    'the rating %d of an impact has the weight %d of 10,000, which is 0 for a rating of 0 only',
    (rating, weight) => {
      const factors = suggestFactors({ ...unknown, impact: rated(rating) });
      expect(factors.TI).toMatchObject({ code: 'Q', weight });
      expect(scoreCwss(factors).score > 0).toBe(weight > 0);
    },
  );

  it.each([1, 2, 3, 4, 5])('the criticality %d of an asset never makes the score 0', (criticality) => {
    const factors = suggestFactors({ ...unknown, asset: { name: 'Shop', criticality } });
    expect(scoreCwss(factors).score).toBeGreaterThan(0);
  });
});

describe('what would change a score most', () => {
  it('has the present value in each range, and begins with the factor that moves the score farthest', () => {
    const factors = {
      ...suggestFactors(unknown),
      SC: { code: 'Q', weight: 0 },
      AL: { code: 'UK', weight: 5000 },
    };
    const { score } = scoreCwss(factors);
    const all = cwssSensitivity(factors);
    for (const { lowest, highest } of all) {
      expect(lowest.score).toBeLessThanOrEqual(score);
      expect(highest.score).toBeGreaterThanOrEqual(score);
    }
    expect(all.find(({ factor }) => factor === 'SC')?.lowest).toEqual({ code: 'Q', weight: 0, score });
    const reach = all.map(({ lowest, highest }) => Math.max(score - lowest.score, highest.score - score));
    expect(reach).toEqual(reach.toSorted((a, b) => b - a));
  });

  it('compares all values of a factor', () => {
    const factors = suggestFactors(unknown);
    const impact = cwssSensitivity(factors).find(({ factor }) => factor === 'BI');
    expect(impact).toMatchObject({ lowest: { code: 'N', score: 0 }, highest: { code: 'C' } });
    for (const { factor, lowest, highest } of cwssSensitivity(factors)) {
      expect(lowest.score).toBeLessThanOrEqual(highest.score);
      expect(scoreCwss({ ...factors, [factor]: highest }).score).toBe(highest.score);
    }
  });
});
