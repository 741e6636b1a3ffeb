import { overallRisk, type RiskCount, riskCounts } from './overall-risk.ts';

/** Something that could be resolved, with the rows that each count would lose. */
export interface Finding {
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly link: string;
  readonly effect: Partial<Readonly<Record<RiskCount, number>>>;
}

export interface Priority extends Omit<Finding, 'effect'> {
  /** The overall risk score without the finding, 0-100. */
  readonly scoreAfter: number;
  /** `scoreAfter` less the score, never above 0. */
  readonly delta: number;
  /** Change of the weighted sum, before rounding and the limit of 100; never above 0. */
  readonly weighted: number;
}

type Counts = Readonly<Record<RiskCount, number>>;

/** The counts without the rows of a finding. */
const without = (counts: Counts, effect: Finding['effect']): Record<RiskCount, number> =>
  Object.fromEntries(
    riskCounts.map((count) => [count, Math.max(0, counts[count] - (effect[count] ?? 0))]),
  ) as Record<RiskCount, number>;

/**
 * The findings whose resolution would lower the overall risk score most, each recomputed without it. The weighted sum
 * orders them, because the limit of 100 can hide the effect on the score.
 */
export function priorities(counts: Counts, findings: readonly Finding[], most: number): Priority[] {
  const before = overallRisk(counts);
  return findings
    .map(({ effect, ...finding }): Priority => {
      const after = overallRisk(without(counts, effect));
      return {
        ...finding,
        scoreAfter: after.score,
        delta: after.score - before.score,
        weighted: after.sum - before.sum,
      };
    })
    .filter(({ weighted }) => weighted < 0)
    .toSorted((one, other) => one.weighted - other.weighted || one.code.localeCompare(other.code, 'en'))
    .slice(0, most);
}
