import { cwssFactors, cwssOrder, type CwssFactor, type CwssFactorRules } from './factors.ts';
import { scoreCwss } from './score.ts';
import type { CwssChoice, CwssChoices } from './vector.ts';

/** A score with another value of one factor. */
export interface AlternativeScore extends CwssChoice {
  readonly score: number;
}

export interface FactorSensitivity {
  readonly factor: CwssFactor;
  readonly lowest: AlternativeScore;
  readonly highest: AlternativeScore;
}

/** The present value and those that state something; Default, Unknown and Not Applicable do not. */
const possible = (factor: CwssFactor, present: CwssChoice): CwssChoice[] => {
  const { values }: CwssFactorRules = cwssFactors[factor];
  return [present, ...values.filter(({ code }) => !['D', 'U', 'UK', 'NA'].includes(code))];
};

interface Range {
  readonly lowest: { readonly score: number };
  readonly highest: { readonly score: number };
}

/** Orders factors by how far each alone could move the present score, the farthest first. */
export const byInfluence =
  (present: number) =>
  (a: Range, b: Range): number => {
    const reach = ({ lowest, highest }: Range) => Math.max(present - lowest.score, highest.score - present);
    return reach(b) - reach(a);
  };

/**
 * The lowest and highest score that each factor alone could give, with its present value among them; the most influential
 * factor first, ties in the order of the standard.
 */
export function cwssSensitivity(choices: CwssChoices): FactorSensitivity[] {
  const all = cwssOrder.map((factor): FactorSensitivity => {
    const present = choices[factor];
    const sorted = possible(factor, present).toSorted((a, b) => a.weight - b.weight);
    const scored = ({ code, weight }: CwssChoice): AlternativeScore => ({
      code,
      weight,
      score: scoreCwss({ ...choices, [factor]: { code, weight } }).score,
    });
    return { factor, lowest: scored(sorted[0] ?? present), highest: scored(sorted.at(-1) ?? present) };
  });
  return all.toSorted(byInfluence(scoreCwss(choices).score));
}
