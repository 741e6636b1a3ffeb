import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { impactLayers, technicalImpacts } from '../cwraf/impacts.ts';
import type { ScorecardCell } from '../cwraf/technical-impact.ts';
import {
  calculateCwss,
  contributionNote,
  rateFacts,
  type CwssFacts,
  type WeaknessFacts,
} from './calculate.ts';
import { completenessOf, explainFactors } from './explain.ts';
import { cwssFactors, cwssOrder, type CwssFactor } from './factors.ts';
import { scoreCwss } from './score.ts';
import { parseCwssVector } from './vector.ts';

const weakness = (cwe: string, impacts: string[], more: Partial<WeaknessFacts> = {}): WeaknessFacts => ({
  cwe,
  name: `Name of ${cwe}`,
  likelihood: '',
  impacts,
  inheritedFrom: null,
  note: '',
  ...more,
});
const injection = weakness('CWE-89', ['Read Application Data', 'Modify Application Data'], {
  likelihood: 'High',
});
const crash = weakness('CWE-476', ['DoS: Crash, Exit, or Restart'], { likelihood: 'Medium' });
const category = weakness('CWE-310', [], { note: 'CWE-310 is a category.' });

const scorecard: ScorecardCell[] = [
  { impact: 'Read data', layer: 'Application', subscore: 7, notes: 'Personal data' },
  { impact: 'Modify data', layer: 'System', subscore: 9, notes: 'Orders' },
  { impact: 'DoS: unreliable execution', layer: 'Application', subscore: 4, notes: '' },
];

const facts: CwssFacts = {
  cveId: 'CVE-2024-12345',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  asset: { id: 'a', name: 'Shop', criticality: 5 },
  overrides: {},
  weaknesses: [crash, injection],
};
const calculate = (change: Partial<CwssFacts> = {}, cells = scorecard) =>
  calculateCwss(rateFacts({ ...facts, ...change }, cells));

describe('the calculation of a CWSS score', () => {
  it('takes the highest rated impact of all weaknesses, and each other factor from what is known', () => {
    const { decisive, fallback, factors, vector, score } = calculate();
    expect(decisive).toMatchObject({
      cwe: 'CWE-89',
      cell: { impact: 'Modify data', layer: 'System', subscore: 9, notes: 'Orders' },
    });
    expect(fallback).toBeNull();
    expect(factors.TI).toMatchObject({ code: 'Q', weight: 9000, source: 'vignette' });
    expect(factors.TI.reason).toContain('CWE-89');
    expect(factors.EX).toMatchObject({ code: 'H', source: 'CWE' });
    expect(factors.BI).toMatchObject({ code: 'C', source: 'asset' });
    expect(factors.AV).toMatchObject({ code: 'I', source: 'CVSS' });
    const read = parseCwssVector(vector);
    expect(read.ok && scoreCwss(read.choices).score).toBe(score);
  });

  it('has the default technical impact, never 0, when nothing is rated, and says why for each weakness', () => {
    expect(calculate({ weaknesses: [] })).toMatchObject({
      decisive: null,
      fallback: 'The vulnerability has no CWE.',
      factors: { TI: { code: 'D', weight: 6000, source: 'default' } },
    });
    const unrated = weakness('CWE-778', ['Hide Activities']);
    expect(calculate({ weaknesses: [category, unrated] }).fallback).toBe(
      'CWE-310 is a category. CWE-778: The vignette rates none of its impacts.',
    );
  });

  it('says that the vignette rates none of the impacts also when these are inherited', () => {
    const note = 'The impacts are inherited from CWE-706.';
    const inherited = weakness('CWE-66', ['Hide Activities'], { inheritedFrom: 706, note });
    expect(calculate({ weaknesses: [inherited] }).fallback).toBe(
      `CWE-66: ${note} The vignette rates none of its impacts.`,
    );
    const { weaknesses } = rateFacts(
      { ...facts, weaknesses: [{ ...inherited, impacts: crash.impacts }] },
      scorecard,
    );
    expect(weaknesses.map(contributionNote)).toEqual([note]);
  });

  it('has no default technical impact when an analyst set it, rated or not, and keeps the rated one as suggestion', () => {
    const overrides = { TI: { code: 'H', weight: 9000, reason: 'Full control of the host.' } };
    expect(calculate({ weaknesses: [], overrides })).toMatchObject({
      decisive: null,
      fallback: null,
      factors: { TI: { code: 'H', source: 'analyst' } },
      suggested: { TI: { code: 'D', reason: 'The vulnerability has no CWE.' } },
    });
    expect(calculate({ overrides })).toMatchObject({
      decisive: { cwe: 'CWE-89' },
      fallback: null,
      suggested: { TI: { code: 'Q', source: 'vignette' } },
    });
  });

  it('is 0 when every rated impact is rated 0', () => {
    const zero: ScorecardCell[] = [{ impact: 'Read data', layer: 'System', subscore: 0, notes: '' }];
    expect(calculate({ weaknesses: [injection] }, zero)).toMatchObject({ score: 0, fallback: null });
  });

  it('uses the factors of the analyst, and keeps what would be suggested', () => {
    const override = { code: 'B', weight: 3000, reason: 'A web application firewall filters it.' };
    const before = calculate();
    const after = calculate({ overrides: { EC: override } });
    expect(after.factors.EC).toEqual({ ...override, source: 'analyst' });
    expect(after.suggested).toEqual(before.factors);
    expect(after.score).toBeLessThan(before.score);
    const explained = explainFactors(after).find(({ code }) => code === 'EC');
    expect(explained).toMatchObject({
      source: 'analyst',
      weight: 0.3,
      suggested: { value: 'N', weight: 1, reason: before.factors.EC.reason },
    });
  });

  it('depends on nothing but its inputs', () => {
    const inputs = rateFacts(facts, scorecard);
    const stored = JSON.parse(JSON.stringify(inputs)) as typeof inputs;
    expect(calculateCwss(stored)).toEqual(calculateCwss(inputs));
  });

  it('ignores a CVSS vector that is not valid', () => {
    expect(calculate({ cvssVector: 'AV:N/AC:L' }).factors.AV).toMatchObject({ code: 'D', source: 'default' });
  });

  it('never falls when the rating of a cell rises', () => {
    const cells = fc.uniqueArray(
      fc.record({
        impact: fc.constantFrom(...technicalImpacts),
        layer: fc.constantFrom(...impactLayers),
        subscore: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
        notes: fc.constant(''),
      }),
      { selector: ({ impact, layer }) => `${impact} ${layer}`, minLength: 1 },
    );
    fc.assert(
      fc.property(cells, fc.nat(), fc.integer({ min: 0, max: 10 }), (before, at, rise) => {
        const index = at % before.length;
        const after = before.map((cell, i) =>
          i === index ? { ...cell, subscore: Math.min(10, cell.subscore + rise) } : cell,
        );
        expect(calculate({}, after).score).toBeGreaterThanOrEqual(calculate({}, before).score);
      }),
    );
  });
});

describe('the explanation of a CWSS score', () => {
  it('has the 16 factors in the order of the standard, with shares that add up to 100 in each sum', () => {
    const explained = explainFactors(calculate());
    expect(explained.map(({ code }) => code)).toEqual(cwssOrder);
    for (const group of ['base', 'attackSurface', 'environmental']) {
      const shares = explained.filter(({ code }) => cwssFactors[code].group === group);
      const total = shares.reduce((sum, { share }) => sum + (share ?? 0), 0);
      expect(total).toBeCloseTo(100, 0);
    }
    const multipliers = explained.filter(({ share }) => share === null).map(({ code }) => code);
    expect(multipliers).toEqual(['IC', 'EC']);
  });

  it('states for each factor the lowest and the highest score that it alone could give', () => {
    const calculation = calculate();
    for (const { code, lowest, highest } of explainFactors(calculation)) {
      const scores = cwssFactors[code].values
        .filter((value) => !['D', 'U', 'UK', 'NA'].includes(value.code))
        .map((value) => scoreCwss({ ...calculation.factors, [code]: value }).score);
      expect(lowest.score).toBe(Math.min(...scores));
      expect(highest.score).toBe(Math.max(...scores));
    }
  });

  it('counts the factors that are default or unknown', () => {
    const unknown = { code: 'UK', weight: 5000, reason: 'Nobody knows.' };
    const overrides: Partial<Record<CwssFactor, typeof unknown>> = { IC: unknown };
    const counted = completenessOf(calculate({ overrides }));
    const codes = Object.values(calculate({ overrides }).factors).map(({ code }) => code);
    expect(counted).toEqual({
      known: codes.filter((code) => code !== 'D' && code !== 'UK').length,
      default: codes.filter((code) => code === 'D').length,
      unknown: 1,
    });
  });
});
