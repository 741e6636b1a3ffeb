import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateCwss, type CwssFacts, rateFacts, type WeaknessFacts } from '../cwss/calculate.ts';
import { ranksOf, scorecardComparison } from './compare-scorecards.ts';
import { impactLayers, technicalImpacts } from './impacts.ts';

const weakness = fc.record<WeaknessFacts>({
  cwe: fc.constantFrom('CWE-79', 'CWE-89', 'CWE-9999'),
  name: fc.constant(''),
  likelihood: fc.constantFrom('High', 'Medium', 'Low', ''),
  impacts: fc.subarray([
    'Read Application Data',
    'Modify Memory',
    'Hide Activities',
    'Other',
    'Alter Execution Logic',
  ]),
  inheritedFrom: fc.constantFrom(null, 74),
  note: fc.constant(''),
});

const factsOf = (weaknesses: readonly WeaknessFacts[]) =>
  fc.record<CwssFacts>({
    cveId: fc.constantFrom('CVE-2024-12345', 'CVE-2023-99999', '', 'x'),
    cvssVector: fc.constantFrom(
      '',
      'broken',
      'AV:N/AC:L/Au:S/C:P/I:P/A:P',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      'CVSS:3.1/AV:L/AC:L/PR:H/UI:R/S:U/C:L/I:N/A:N',
    ),
    asset: fc.option(
      fc.record({ id: fc.constant('a'), name: fc.string(), criticality: fc.integer({ min: 1, max: 5 }) }),
    ),
    overrides: fc.constantFrom(
      {},
      {},
      { TI: { code: 'Q', weight: 3000, reason: 'x' } },
      { BI: { code: 'N', weight: 0, reason: 'x' } },
    ),
    weaknesses: fc.subarray([...weaknesses]),
  });

const scorecard = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...technicalImpacts), fc.constantFrom(...impactLayers)), {
    selector: String,
  })
  .chain((cells) =>
    fc.tuple(
      ...cells.map(([impact, layer]) =>
        fc.integer({ min: 0, max: 10 }).map((subscore) => ({ impact, layer, subscore, notes: '' })),
      ),
    ),
  );

describe('a comparison of two scorecards', () => {
  it('gives each vulnerability the scores that a calculation gives, regardless of what was compared before', () => {
    const many = fc
      .array(weakness, { minLength: 1, maxLength: 6 })
      .chain((weaknesses) =>
        fc.tuple(scorecard, scorecard, fc.array(factsOf(weaknesses), { maxLength: 30 })),
      );
    fc.assert(
      fc.property(many, ([former, next, all]) => {
        const compare = scorecardComparison(former, next);
        for (const facts of all) {
          const [before, after] = [former, next].map((cells) => calculateCwss(rateFacts(facts, cells)));
          expect(compare(facts)).toEqual({
            before: before?.score,
            after: after?.score,
            impactBefore: before?.decisive?.cell?.impact ?? null,
            impactAfter: after?.decisive?.cell?.impact ?? null,
          });
        }
      }),
      { numRuns: 200 },
    );
  });
});

it('ranks count from 1 for the highest score, and equal scores have one rank', () => {
  expect(ranksOf([50, 92.6, 0, 92.6, 10])).toEqual([3, 1, 5, 1, 4]);
  expect(ranksOf([])).toEqual([]);
});
