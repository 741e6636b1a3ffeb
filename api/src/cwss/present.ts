import type { CwssResult } from '@riskboard/contract';
import {
  calculateCwss,
  completenessOf,
  contributionNote,
  type CwssInputs,
  explainFactors,
  type RatedWeakness,
} from '@riskboard/domain';

/** What a score names in addition to its inputs. */
type Origin = Pick<
  CwssResult,
  'vignetteId' | 'vignetteName' | 'vignetteVersion' | 'catalogueVersion' | 'formulaVersion'
>;

const cweOf = (number: number | null): string | null => (number === null ? null : `CWE-${number}`);

const presentWeakness = ({ cwe, name, inheritedFrom, cell, note }: RatedWeakness) => ({
  cwe,
  name,
  impact: cell?.impact ?? null,
  layer: cell?.layer ?? null,
  subscore: cell?.subscore ?? null,
  inheritedFrom: cweOf(inheritedFrom),
  note: contributionNote({ cell, inheritedFrom, note }),
});

/** A calculation from these inputs as the contract shows it: every factor, weakness and sub-score. */
export function presentResult(inputs: CwssInputs, origin: Origin): CwssResult {
  const calculation = calculateCwss(inputs);
  const { score, raw, base, attackSurface, environmental, vector, decisive, fallback } = calculation;
  return {
    score,
    raw,
    base,
    attackSurface,
    environmental,
    vector,
    factors: explainFactors(calculation),
    technicalImpact: {
      impact: decisive?.cell?.impact ?? null,
      layer: decisive?.cell?.layer ?? null,
      subscore: decisive?.cell?.subscore ?? null,
      notes: decisive?.cell?.notes ?? '',
      cwe: decisive?.cwe ?? null,
      inheritedFrom: cweOf(decisive?.inheritedFrom ?? null),
      fallback,
    },
    weaknesses: inputs.weaknesses.map(presentWeakness),
    completeness: completenessOf(calculation),
    ...origin,
  };
}
