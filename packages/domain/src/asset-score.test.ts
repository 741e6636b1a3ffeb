import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetScoreContributions, type AssetScoreInputs, scoreOf, type ScoredRecord } from './asset-score.ts';

const level = (max: number) => fc.option(fc.integer({ min: 1, max }));
const inputs: fc.Arbitrary<AssetScoreInputs> = fc.record({
  confidentialityLevel: level(5),
  integrityLevel: level(4),
  availabilityLevel: level(4),
  criticality: level(5),
  threatCount: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 5000 })),
  vulnerabilityCount: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 5000 })),
});

const records = (count: number, name: string): ScoredRecord[] =>
  Array.from({ length: Math.min(count, 100) }, (_, n) => ({
    _id: `${name}-${n}`,
    name: `${name} ${n}`,
    value: n,
  }));

const explain = (given: AssetScoreInputs) =>
  assetScoreContributions(given, {
    threats: records(given.threatCount, 'Threat'),
    vulnerabilities: records(given.vulnerabilityCount, 'Vulnerability'),
  });

/** Adds decimals as whole thousandths. Fails for a value with more than three decimals. */
const sumOf = (adds: readonly number[]): number =>
  adds.reduce((sum, value) => {
    const thousandths = Math.round(value * 1000);
    expect(thousandths / 1000).toBe(value);
    return sum + thousandths;
  }, 0) / 1000;

const none: AssetScoreInputs = {
  confidentialityLevel: null,
  integrityLevel: null,
  availabilityLevel: null,
  criticality: null,
  threatCount: 0,
  vulnerabilityCount: 0,
};

describe('the contributions to an asset score', () => {
  it('add up to the score exactly, for any levels and counts', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        expect(sumOf(explain(given).map(({ adds }) => adds))).toBe(scoreOf(given));
      }),
      { numRuns: 500 },
    );
  });

  it('name each threat and vulnerability, and rounding, in the order of the formula', () => {
    const given = { ...none, confidentialityLevel: 3, criticality: 4, threatCount: 1, vulnerabilityCount: 1 };
    expect(explain(given).map(({ part, what, value, adds, _id }) => [part, what, value, adds, _id])).toEqual([
      ['confidentiality', 'Confidentiality', 3, 1, null],
      ['integrity', 'Integrity', null, 0, null],
      ['availability', 'Availability', null, 0, null],
      ['criticality', 'Criticality', 4, 2.667, null],
      ['threat', 'Threat 0', 0, 0.167, 'Threat-0'],
      ['vulnerability', 'Vulnerability 0', 0, 0.233, 'Vulnerability-0'],
      ['rounding', 'Rounding', null, 0.033, null],
    ]);
    expect(scoreOf(given)).toBe(4.1);
  });

  it('sum the records that are not named in one line, and name what the maximum of 10 cuts off', () => {
    const given = { ...none, threatCount: 130 };
    const lines = explain(given);
    expect(lines.find(({ part }) => part === 'other-threats')).toMatchObject({ value: 30, adds: 5 });
    expect(lines.at(-1)).toMatchObject({ part: 'cap', what: 'Maximum of 10', adds: -11.7 });
  });

  it('have no line for rounding or the maximum when they change nothing', () => {
    expect(explain({ ...none, criticality: 3 }).map(({ part }) => part)).toEqual([
      'confidentiality',
      'integrity',
      'availability',
      'criticality',
    ]);
  });
});
