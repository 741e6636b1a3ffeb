import type { CwssExplanation, CwssFactorExplanation, CwssResult } from '@riskboard/contract';
import {
  calculateCwss,
  completenessOf,
  cwssFormulaVersion,
  explainFactors,
  rateFacts,
  starterVignettes,
  type CwssFacts,
} from '@riskboard/domain';
import { CwssExplanation as Schema } from '@riskboard/contract/schemas';
import { newId } from './rows.ts';

const facts: CwssFacts = {
  cveId: 'CVE-2021-44228',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
  asset: { id: newId(), name: 'Web shop', criticality: 4 },
  overrides: {},
  weaknesses: [
    {
      cwe: 'CWE-502',
      name: 'Deserialization of Untrusted Data',
      likelihood: 'Medium',
      impacts: ['DoS: Resource Consumption (CPU)', 'Varies by Context'],
      inheritedFrom: null,
      note: '',
    },
    {
      cwe: 'CWE-20',
      name: 'Improper Input Validation',
      likelihood: 'High',
      impacts: ['Read Memory', 'Bypass Protection Mechanism'],
      inheritedFrom: 707,
      note: 'Its own consequences name no impact; those of CWE-707 are used.',
    },
    {
      cwe: 'CWE-16',
      name: 'Configuration',
      likelihood: '',
      impacts: [],
      inheritedFrom: null,
      note: 'A category; it has no consequences.',
    },
  ],
};

/** A result that the domain calculates, with changed facts and one of the starter vignettes. */
export function cwssResultOf(change: Partial<CwssFacts> = {}, vignette = 0): CwssResult {
  const { name, scorecard } = starterVignettes[vignette] ?? {};
  const inputs = rateFacts({ ...facts, ...change }, scorecard ?? []);
  const result = calculateCwss(inputs);
  const { decisive } = result;
  const idOf = (cwe: number | null) => (cwe === null ? null : `CWE-${cwe}`);
  return {
    score: result.score,
    raw: result.raw,
    base: result.base,
    attackSurface: result.attackSurface,
    environmental: result.environmental,
    vector: result.vector,
    factors: explainFactors(result) satisfies CwssFactorExplanation[],
    technicalImpact: {
      impact: decisive?.cell?.impact ?? null,
      layer: decisive?.cell?.layer ?? null,
      subscore: decisive?.cell?.subscore ?? null,
      notes: decisive?.cell?.notes ?? '',
      cwe: decisive?.cwe ?? null,
      inheritedFrom: idOf(decisive?.inheritedFrom ?? null),
      fallback: result.fallback,
    },
    weaknesses: inputs.weaknesses.map(({ cwe, name: title, cell, inheritedFrom, note }) => ({
      cwe,
      name: title,
      impact: cell?.impact ?? null,
      layer: cell?.layer ?? null,
      subscore: cell?.subscore ?? null,
      inheritedFrom: idOf(inheritedFrom),
      note,
    })),
    completeness: completenessOf(result),
    vignetteId: `0199f000-0000-7000-9000-${String(vignette).padStart(12, '0')}`,
    vignetteName: name ?? '',
    vignetteVersion: 2,
    catalogueVersion: 'CWE 4.15',
    formulaVersion: cwssFormulaVersion,
  };
}

/** An explanation that agrees with the domain, valid by the contract. */
export function explanationOf(
  change: Partial<CwssExplanation> = {},
  changedFacts: Partial<CwssFacts> = {},
): CwssExplanation {
  const result = cwssResultOf(changedFacts);
  const { score, vector, vignetteId, vignetteName } = result;
  return Schema.parse({
    ...result,
    version: 2,
    calculatedAt: '2026-11-20T10:00:00.000Z',
    calculatedBy: 'Ada Lovelace',
    cause: 'calculated',
    vignetteExists: true,
    stale: false,
    staleReasons: [],
    overrides: {},
    history: [
      {
        version: 2,
        at: '2026-11-20T10:00:00.000Z',
        by: 'Ada Lovelace',
        cause: 'calculated',
        score,
        vector,
        vignetteId,
        vignetteName,
        vignetteVersion: 2,
        changes: ['BI: D to H', 'TI: Q 0.7 to Q 0.9'],
      },
      {
        version: 1,
        at: '2026-11-19T10:00:00.000Z',
        by: 'Ben Pier',
        cause: 'factors',
        score: 40.5,
        vector,
        vignetteId,
        vignetteName,
        vignetteVersion: 1,
        changes: [],
      },
    ],
    ...change,
  } satisfies CwssExplanation);
}
