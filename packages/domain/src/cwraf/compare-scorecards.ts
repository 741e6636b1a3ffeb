import {
  calculateCwss,
  type CwssFacts,
  type CwssInputs,
  decisiveOf,
  type RatedWeakness,
  rateFacts,
  type WeaknessFacts,
} from '../cwss/calculate.ts';
import { isPublished } from '../cwss/suggested-factors.ts';
import type { TechnicalImpact } from './impacts.ts';
import type { ScorecardCell } from './technical-impact.ts';

/** The score of one vulnerability with two scorecards. */
export interface ScorecardMove {
  readonly before: number;
  readonly after: number;
  /** Null when no impact of its weaknesses is mapped and rated. */
  readonly impactBefore: TechnicalImpact | null;
  readonly impactAfter: TechnicalImpact | null;
}

/** Everything that the score depends on; the names of assets and CVE ids are only in its reasons. */
function keyOf({ cvssVector, cveId, asset, weaknesses }: CwssInputs, decisive: RatedWeakness | null): string {
  const likelihoods = weaknesses.map(({ likelihood }) => likelihood);
  return [cvssVector, isPublished(cveId), asset?.criticality, decisive?.cell?.subscore, ...likelihoods].join(
    '\n',
  );
}

/** Scores of vulnerabilities with one scorecard. Few vulnerabilities differ in what the score depends on. */
function scorer(scorecard: readonly ScorecardCell[]) {
  const rated = new Map<WeaknessFacts, RatedWeakness[]>();
  const scores = new Map<string, number>();
  const rate = (facts: CwssFacts, weakness: WeaknessFacts): RatedWeakness[] => {
    const known = rated.get(weakness) ?? [
      ...rateFacts({ ...facts, weaknesses: [weakness] }, scorecard).weaknesses,
    ];
    rated.set(weakness, known);
    return known;
  };
  return (facts: CwssFacts): { score: number; impact: TechnicalImpact | null } => {
    const inputs = { ...facts, weaknesses: facts.weaknesses.flatMap((weakness) => rate(facts, weakness)) };
    const decisive = decisiveOf(inputs.weaknesses);
    const impact = decisive?.cell?.impact ?? null;
    if (Object.keys(facts.overrides).length > 0) return { score: calculateCwss(inputs).score, impact };
    const key = keyOf(inputs, decisive);
    const score = scores.get(key) ?? calculateCwss(inputs).score;
    scores.set(key, score);
    return { score, impact };
  };
}

/** A function that scores vulnerabilities with two scorecards. */
export function scorecardComparison(
  former: readonly ScorecardCell[],
  next: readonly ScorecardCell[],
): (facts: CwssFacts) => ScorecardMove {
  const [scoreBefore, scoreAfter] = [scorer(former), scorer(next)];
  return (facts) => {
    const [before, after] = [scoreBefore(facts), scoreAfter(facts)];
    return {
      before: before.score,
      after: after.score,
      impactBefore: before.impact,
      impactAfter: after.impact,
    };
  };
}

/** The rank of each score: 1 for the highest; equal scores have the same rank. */
export function ranksOf(scores: readonly number[]): number[] {
  const ranks = new Map<number, number>();
  for (const [index, score] of scores.toSorted((a, b) => b - a).entries())
    if (!ranks.has(score)) ranks.set(score, index + 1);
  return scores.map((score) => ranks.get(score) ?? 0);
}
