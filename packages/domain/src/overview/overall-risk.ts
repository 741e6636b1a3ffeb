import type { OverviewCounts } from './counts.ts';

/** What one of each count adds to the overall risk score (spec 9, Overview). */
export const overallRiskWeights = {
  totalThreats: 2,
  openVulnerabilities: 3,
  newVulnerabilities: 2,
  assetsAtRisk: 1.5,
} as const satisfies Partial<Record<keyof OverviewCounts, number>>;

export type RiskCount = keyof typeof overallRiskWeights;
export type RiskWeights = Readonly<Record<RiskCount, number>>;

/** Version of the formulas that the scores of the overview are calculated by; stored with each snapshot. */
export const overviewFormulaVersion = '1';

/** Weights of each version. A version stays when the formula changes: scores of earlier days were calculated by it. */
export const overallRiskFormulas: Readonly<Record<string, RiskWeights>> = {
  [overviewFormulaVersion]: overallRiskWeights,
};

export const riskCounts = Object.keys(overallRiskWeights) as RiskCount[];

/** Lowest overall risk score (0-100) of each band, highest first (spec 9, Overview). */
export const overallRiskBands = [
  { value: 'high', label: 'High', from: 60 },
  { value: 'medium', label: 'Medium', from: 30 },
  { value: 'low', label: 'Low', from: 0 },
] as const;

export interface OverallRisk {
  /** 0-100, a whole number. */
  readonly score: number;
  /** The weighted sum, before it is rounded and capped; in halves. */
  readonly sum: number;
  /** What rounding adds, 0 or 0.5. */
  readonly rounding: number;
  /** What the cap of 100 takes away, never above 0. */
  readonly cap: number;
  readonly band: (typeof overallRiskBands)[number];
  /** Percent of the progress bar: 100 minus the score (spec 9, Overview). */
  readonly bar: number;
}

const most = 100;

/** The overall risk score of an organization; sum + rounding + cap = score, always (spec 9, Overview). */
export function overallRisk(
  counts: Pick<OverviewCounts, RiskCount>,
  weights: RiskWeights = overallRiskWeights,
): OverallRisk {
  const sum = riskCounts.reduce((total, count) => total + weights[count] * counts[count], 0);
  const rounded = Math.round(sum);
  const score = Math.min(most, rounded);
  return {
    score,
    sum,
    rounding: rounded - sum,
    cap: score - rounded,
    band: overallRiskBands.find(({ from }) => score >= from) ?? overallRiskBands[2],
    bar: most - score,
  };
}

/** Percent, 0-100: new / (open + new), or 100 without any (spec 9, Overview). */
export function remediationRate({
  openVulnerabilities,
  newVulnerabilities,
}: Pick<OverviewCounts, 'openVulnerabilities' | 'newVulnerabilities'>): number {
  const all = openVulnerabilities + newVulnerabilities;
  // Multiplied first: 92 of 320 are 28.75, not 28.7499.
  return all === 0 ? 100 : (newVulnerabilities * 100) / all;
}
