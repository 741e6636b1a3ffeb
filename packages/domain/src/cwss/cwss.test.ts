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

const marks = fc.constantFrom(
  '(',
  ')',
  '/',
  ':',
  ',',
  '#',
  '?',
  '&',
  '=',
  '%',
  '%2F',
  ' ',
  '\n',
  '\0',
  '\uD800',
  'Q',
  'TI:N',
  'CWSS:1.0.1/',
);
/** A vector with a part replaced by other text. */
const damaged = fc
  .tuple(
    fc.nat(application.length),
    fc.nat(20),
    fc.array(fc.oneof(marks, fc.string({ unit: 'binary' })), { maxLength: 8 }),
  )
  .map(([at, removed, added]) => application.slice(0, at) + added.join('') + application.slice(at + removed));

describe('a vector', () => {
  it('of any text is read, or refused with a short reason, and a vector that is read is canonical', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          damaged,
          fc.string({ unit: 'binary', maxLength: 1000 }),
          fc.array(marks).map((all) => all.join('')),
        ),
        (text) => {
          const vector = parseCwssVector(text);
          if (vector.ok) expect(read(vector.vector)).toMatchObject({ choices: vector.choices, warnings: [] });
          else expect(vector.message.length).toBeLessThan(500);
        },
      ),
      { numRuns: 2000 },
    );
  });

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
    ['with brackets and a trailing slash inside', application.replace(')', '/)')],
    ['with brackets and a trailing slash outside', `${application}/`],
    ['with weights of two decimals', application.replaceAll('1.0', '1.00').replaceAll('0.9', '0.90')],
    ['as a link with a query', `https://example.org/cwss?lang=en&v=1#${application.slice(1, -1)}/`],
    ['as a link with a query behind the vector', `https://example.org/#${application}?utm=a:b&x=1`],
    ['as a percent-encoded link', `https://example.org/cwss#${encodeURIComponent(application)}`],
    ['as a link that is encoded as a whole', encodeURIComponent(`https://example.org/#${application}`)],
    [
      'as a link with the vector in its query',
      `/dashboard/cwss?x=1&vector=${encodeURIComponent(application)}#top`,
    ],
    ['as a link with a named fragment', `https://example.org/#vector=${application}&lang=en`],
    ['as a link with a path as fragment', `https://example.org/#!/${application.slice(1, -1)}`],
    ['in lower case', application.toLowerCase()],
    ['with line breaks', application.replaceAll('/', '/\r\n  ')],
    ['with tabs and spaces around every sign', application.replaceAll(/[,:/]/gu, ' $&\t')],
    ['in another order', `(${application.slice(1, -1).split('/').toReversed().join('/')})`],
  ])('is read %s', (_what, text) => {
    expect(read(text)).toMatchObject({ vector: application, warnings: [] });
  });

  it('reads AV:U and AV:UK as the same unknown channel', () => {
    for (const code of ['U', 'UK', 'u', 'uk,0.5'])
      expect(read(withFactor('AV', code))).toMatchObject({ vector: withFactor('AV', 'U,0.5'), warnings: [] });
  });

  it.each([
    ['a weight that the table does not have', withFactor('BI', 'C,0.9'), 'BI:C has the weight 1.0; the 0.9'],
    ['the removed factor RE', application.replace('/P:', '/RE:NA,1.0/P:'), 'RE (Remediation Effort)'],
    ['two factors RE', application.replace('/P:', '/RE:NA,1.0/re:x/P:'), 'RE (Remediation Effort)'],
    ['a version prefix', `CWSS:1.0.1/${application.slice(1, -1)}`, 'The prefix CWSS:1.0.1/'],
    ['a version prefix before the bracket', `CWSS:1.0.1/${application}`, 'The prefix CWSS:1.0.1/'],
    ['a version prefix inside the bracket', application.replace('(', '(CWSS:1.0/'), 'The prefix CWSS:1.0/'],
  ])('with %s is read with a warning', (_what, text, warning) => {
    const { vector, warnings } = read(text);
    expect(vector).toBe(application);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    ['0.33333', '0.3333'],
    ['0.12345', '0.1235'],
    ['0.99999', '1.0'],
    ['0.00001', '0.0001'],
    [`0.${'0'.repeat(400)}1`, '0.0001'],
  ])('rounds the quantified weight %s to %s, not to zero, with a warning', (written, weight) => {
    const { vector, warnings } = read(withFactor('TI', `Q,${written}`));
    expect(vector).toBe(withFactor('TI', `Q,${weight}`));
    expect(warnings).toEqual([
      expect.stringContaining(`TI:Q has the weight ${weight}; the ${written.slice(0, 40)}`),
    ]);
  });

  it.each(['0.25000', '1.000000', '0.00000'])(
    'reads the quantified weight %s without a warning',
    (written) => {
      expect(read(withFactor('TI', `Q,${written}`)).warnings).toEqual([]);
    },
  );

  it.each([
    ['nothing', ' ', null, 'The CWSS vector is empty.'],
    ['no vector', 'high', null, '"high" is not a CWSS factor'],
    ['the factor CONF', `${application.slice(1, -1)}/CONF:H`, 'CONF', 'CWSS has no factor "CONF".'],
    ['AS:L', withFactor('AS', 'L'), 'AS', 'AS (Authentication Strength) has no value "L".'],
    ['IN:L', withFactor('IN', 'L,0.9'), 'IN', 'IN (Level of Interaction) has no value "L".'],
    ['SC:N', withFactor('SC', 'N'), 'SC', 'SC (Deployment Scope) has no value "N".'],
    ['as:l', withFactor('AS', 'l'), 'AS', 'AS (Authentication Strength) has no value "l".'],
    ['U for another factor than AV', withFactor('TI', 'U'), 'TI', 'has no value "U"'],
    [
      'a character whose upper form is a code',
      withFactor('SC', 'A').replace('SC:', '\u017FC:'),
      '\u017FC',
      'no factor',
    ],
    ['an empty value', withFactor('TI', ''), 'TI', 'has no value ""'],
    ['an empty weight', withFactor('TI', 'H,'), 'TI', 'has the weight ""'],
    ['two weights', withFactor('TI', 'H,0.9,0.9'), null, '"TI:H,0.9,0.9" is not a CWSS factor'],
    ['an empty factor in the middle', application.replace('/AP', '//AP'), null, '"" is not a CWSS factor'],
    ['a long name', `${application.slice(1, -1)}/${'X'.repeat(400)}:A`, 'X'.repeat(40), 'no factor "XXX'],
    ['a CVSS vector', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'CVSS', 'CWSS has no factor "CVSS".'],
    ['a link without a vector', 'https://example.org/?a=1#top', null, 'The text has no CWSS vector.'],
    ['brackets only', '()', null, 'The text has no CWSS vector.'],
    ['a broken percent sign', `${application}%`, 'P', 'has the weight "1.0)%"'],
    ['a missing factor', application.replace('TI:H,0.9/', ''), 'TI', 'Missing factor: TI.'],
    ['a factor twice', application.replace('TI:H,0.9/', 'TI:H,0.9/TI:H,0.9/'), 'TI', 'Duplicate factor: TI.'],
    ['Q without a weight', withFactor('TI', 'Q'), 'TI', 'TI (Technical Impact) is quantified (Q)'],
    ['a weight above 1', withFactor('TI', 'Q,1.1'), 'TI', 'has the weight "1.1"'],
    ['a negative weight', withFactor('TI', 'Q,-0.5'), 'TI', 'has the weight "-0.5"'],
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
