import { calculateCwss, rateFacts } from '@riskboard/domain';
import type { LoadedFacts } from './load-facts.ts';
import type { ScoringVignette } from './scoring-vignette.ts';

/** A calculated score that is not saved yet. */
export interface CalculatedScore {
  id: string;
  revision: number;
  score: number;
  /** The score before rounding. */
  raw: number;
  vector: string;
  /** CwssInputs as JSON. */
  inputs: string;
}

/** Calculates the score of one vulnerability. */
export function calculatedScore(
  { id, revision, facts }: LoadedFacts,
  { scorecard }: ScoringVignette,
): CalculatedScore {
  const inputs = rateFacts(facts, scorecard);
  const { score, raw, vector } = calculateCwss(inputs);
  return { id, revision, score, raw, vector, inputs: JSON.stringify(inputs) };
}
