import { type LedgerTotals, overviewCounts } from '../counts.ts';
import {
  explainActiveThreats,
  explainAtRisk,
  explainNew,
  explainOpen,
  explainThreats,
} from './explain-counts.ts';
import { explainExposure, explainImpact, explainRate, explainRisk, explainStatus } from './explain-scores.ts';
import type { Explained, NumberExplanation, State } from './inputs.ts';

const explanations = {
  overallRisk: explainRisk,
  totalThreats: explainThreats,
  activeThreats: explainActiveThreats,
  openVulnerabilities: explainOpen,
  newVulnerabilities: explainNew,
  assetsAtRisk: explainAtRisk,
  remediationRate: explainRate,
  securityStatus: explainStatus,
  estimatedImpact: explainImpact,
  riskExposure: explainExposure,
} as const satisfies Record<string, (state: State) => Explained>;

/** Numbers of the overview that can be explained. */
export type ExplainedNumber = keyof typeof explanations;

/** How a number of the overview comes about, with the lists of the rows behind it (contract, Explanations). */
export function explainNumber(
  metric: ExplainedNumber,
  totals: LedgerTotals,
  today: string,
): NumberExplanation {
  return { bands: [], ...explanations[metric]({ totals, counts: overviewCounts(totals, today), today }) };
}

/** Whether a lower or a higher number is better. */
export const goodDirections = {
  overallRisk: 'lower',
  totalThreats: 'lower',
  activeThreats: 'lower',
  openVulnerabilities: 'lower',
  newVulnerabilities: 'lower',
  assetsAtRisk: 'lower',
  // 100 when nothing is left to remediate (spec 9, Overview).
  remediationRate: 'higher',
  estimatedImpact: 'lower',
  riskExposure: 'lower',
} as const satisfies Partial<Record<ExplainedNumber, 'lower' | 'higher'>>;
