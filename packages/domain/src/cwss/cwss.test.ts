import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cwssFactors, cwssOrder, weightUnit, type CwssFactor } from './factors.ts';
import { scoreCwss } from './score.ts';
import { cwssVectorOf, parseCwssVector, type CwssChoice, type CwssVector } from './vector.ts';

const application =
  '(TI:H,0.9/AP:A,1.0/AL:A,1.0/IC:N,1.0/FC:T,1.0/RP:L,0.9/RL:A,1.0/AV:I,1.0/AS:N,1.0/IN:T,0.9/SC:A,1.0/BI:C,1.0/DI:H,1.0/EX:H,1.0/EC:N,1.0/P:NA,1.0)';

function read(text: string): CwssVector {
  const vector = parseCwssVector(text);
  if (!vector.ok) throw new Error(vector.message);
  return vector;
}
const scoreOf = (text: string) => scoreCwss(read(text).choices);
const withFactor = (factor: string, to: string): string =>
  application.replace(new RegExp(`(?<=[(/])${factor}:[^/)]*`, 'u'), `${factor}:${to}`);
const same = (codeOf: (factor: CwssFactor) => string): string =>
  cwssOrder.map((factor) => `${factor}:${codeOf(factor)}`).join('/');

const anyChoice = (factor: CwssFactor): fc.Arbitrary<CwssChoice> =>
  fc.oneof(
    fc.constantFrom(...cwssFactors[factor].values).map(({ code, weight }) => ({ code, weight })),
    fc.integer({ min: 0, max: weightUnit }).map((weight) => ({ code: 'Q', weight })),
  );
const anyChoices = fc.record(
  Object.fromEntries(cwssOrder.map((factor) => [factor, anyChoice(factor)])) as {
    [F in CwssFactor]: fc.Arbitrary<CwssChoice>;
  },
);

describe('the score', () => {
  it.each([
    ['the business-critical application of CWSS 1.0.1', application, 96, 0.965, 1, 92.64, 92.6],
    [
      'the wiki of CWSS 1.0.1',
      '(TI:M,0.6/AP:A,1.0/AL:A,1.0/IC:N,1.0/FC:T,1.0/RP:RU,0.7/RL:A,1.0/AV:I,1.0/AS:W,0.9/IN:A,1.0/SC:NA,1.0/BI:L,0.3/DI:NA,1.0/EX:NA,1.0/EC:N,1.0/P:NA,1.0)',
      84,
      0.935,
      0.65,
      51.051,
      51.1,
    ],
    ['all Not Applicable', same(() => 'NA'), 100, 1, 1, 100, 100],
    ['all Default', same(() => 'D'), 43.2, 0.735, 0.3825, 12.14514, 12.1],
    ['all Unknown', same(() => 'UK'), 25, 0.5, 0.25, 3.125, 3.1],
    ['no technical impact', withFactor('TI', 'N'), 0, 0.965, 1, 0, 0],
    ['a technical impact quantified as 0', withFactor('TI', 'Q,0'), 0, 0.965, 1, 0, 0],
    ['complete internal control', withFactor('IC', 'C'), 0, 0.965, 1, 0, 0],
    ['no business impact', withFactor('BI', 'N'), 96, 0.965, 0, 0, 0],
    ['a finding that is proven false', withFactor('FC', 'F'), 76, 0.965, 1, 73.34, 73.3],
    ['no interaction', withFactor('IN', 'NI'), 96, 0.83, 1, 79.68, 79.7],
    ['complete external control', withFactor('EC', 'C'), 96, 0.965, 0.1, 9.264, 9.3],
    ['an exact half', withFactor('TI', 'Q,0.75'), 90, 0.965, 1, 86.85, 86.9],
  ])('of %s', (_what, vector, base, attackSurface, environmental, raw, score) => {
    expect(scoreOf(vector)).toEqual({ base, attackSurface, environmental, raw, score });
  });

  it('and its parts stay in their ranges', () => {
    fc.assert(
      fc.property(anyChoices, (choices) => {
        const { score, raw, base, attackSurface, environmental } = scoreCwss(choices);
        for (const [value, most] of [
          [score, 100],
          [raw, 100],
          [base, 100],
          [attackSurface, 1],
          [environmental, 1],
        ] as const) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(most);
        }
        expect(Math.abs(score - raw)).toBeLessThanOrEqual(0.05 + 1e-9);
      }),
    );
  });

  it('never falls when the weight of a factor grows', () => {
    fc.assert(
      fc.property(
        anyChoices,
        fc.constantFrom(...cwssOrder),
        fc.integer({ min: 0, max: weightUnit }),
        fc.integer({ min: 0, max: weightUnit }),
        (choices, factor, one, other) => {
          const quantify = (weight: number) => ({ ...choices, [factor]: { code: 'Q', weight } });
          const low = scoreCwss(quantify(Math.min(one, other)));
          const high = scoreCwss(quantify(Math.max(one, other)));
          expect(high.raw).toBeGreaterThanOrEqual(low.raw);
          expect(high.score).toBeGreaterThanOrEqual(low.score);
        },
      ),
    );
  });

  it('is 0 exactly when technical impact, internal control or business impact weighs 0, or a product is 0', () => {
    fc.assert(
      fc.property(anyChoices, (choices) => {
        const { raw, attackSurface } = scoreCwss(choices);
        const zero = (['TI', 'IC', 'BI', 'EC'] as const).some((factor) => choices[factor].weight === 0);
        expect(raw === 0).toBe(zero || attackSurface === 0);
      }),
    );
  });
});

describe('a vector', () => {
  it('is read back from its canonical form', () => {
    fc.assert(
      fc.property(anyChoices, (choices) => {
        const { vector, choices: again, warnings } = read(cwssVectorOf(choices));
        expect(again).toEqual(choices);
        expect(vector).toBe(cwssVectorOf(choices));
        expect(warnings).toEqual([]);
      }),
    );
  });

  it.each([
    ['without brackets', application.slice(1, -1)],
    ['without weights', application.replaceAll(/,[\d.]+/gu, '')],
    ['with short weights', application.replaceAll('1.0', '1')],
    ['with a trailing slash', `${application.slice(1, -1)}/`],
    ['as a link of a calculator', `https://example.org/cwss/#${application.slice(1, -1)}/`],
    ['with line breaks', application.replaceAll('/', '/\n  ')],
    ['in another order', `(${application.slice(1, -1).split('/').toReversed().join('/')})`],
  ])('is read %s', (_what, text) => {
    expect(read(text)).toMatchObject({ vector: application, warnings: [] });
  });

  it.each([
    ['a weight that the table does not have', withFactor('BI', 'C,0.9'), 'BI:C has the weight 1.0; the 0.9'],
    ['the removed factor RE', application.replace('/P:', '/RE:NA,1.0/P:'), 'RE (Remediation Effort)'],
    ['a version prefix', `CWSS:1.0.1/${application.slice(1, -1)}`, 'The prefix CWSS:1.0.1/'],
  ])('with %s is read with a warning', (_what, text, warning) => {
    const { vector, warnings } = read(text);
    expect(vector).toBe(application);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    ['nothing', ' ', null, 'The CWSS vector is empty.'],
    ['no vector', 'high', null, '"high" is not a CWSS factor'],
    ['the factor CONF', `${application.slice(1, -1)}/CONF:H`, 'CONF', 'CWSS has no factor "CONF".'],
    ['AS:L', withFactor('AS', 'L'), 'AS', 'AS (Authentication Strength) has no value "L".'],
    ['IN:L', withFactor('IN', 'L,0.9'), 'IN', 'IN (Level of Interaction) has no value "L".'],
    ['SC:N', withFactor('SC', 'N'), 'SC', 'SC (Deployment Scope) has no value "N".'],
    ['a lower-case value', withFactor('TI', 'h'), 'TI', 'has no value "h"'],
    ['a missing factor', application.replace('TI:H,0.9/', ''), 'TI', 'Missing factor: TI.'],
    ['a factor twice', application.replace('TI:H,0.9/', 'TI:H,0.9/TI:H,0.9/'), 'TI', 'Duplicate factor: TI.'],
    ['Q without a weight', withFactor('TI', 'Q'), 'TI', 'TI (Technical Impact) is quantified (Q)'],
    ['a weight above 1', withFactor('TI', 'Q,1.1'), 'TI', 'has the weight "1.1"'],
    ['a negative weight', withFactor('TI', 'Q,-0.5'), 'TI', 'has the weight "-0.5"'],
    ['a weight with five decimals', withFactor('TI', 'Q,0.12345'), 'TI', 'has the weight "0.12345"'],
    ['a weight that is not a number', withFactor('TI', 'H,NaN'), 'TI', 'has the weight "NaN"'],
    [
      'a name of Object',
      withFactor('TI', 'H').replace('TI:', 'constructor:'),
      'constructor',
      'CWSS has no factor',
    ],
    ['1,001 characters', 'T'.repeat(1001), null, 'The CWSS vector is too long.'],
  ])('with %s is refused by name', (_what, text, factor, message) => {
    const vector = parseCwssVector(text);
    expect(vector.ok).toBe(false);
    if (vector.ok) return;
    expect(vector.factor).toBe(factor);
    expect(vector.message).toContain(message);
  });
});
