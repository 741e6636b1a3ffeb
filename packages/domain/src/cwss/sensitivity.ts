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

/** Values that state something; Default, Unknown and Not Applicable do not. */
const stated = (factor: CwssFactor): CwssChoice[] => {
  const { values }: CwssFactorRules = cwssFactors[factor];
  return values.filter(({ code }) => !['D', 'U', 'UK', 'NA'].includes(code));
};

/**
 * The lowest and highest score that each factor alone could give, the most influential factor first; ties in the order
 * of the standard.
 */
export function cwssSensitivity(choices: CwssChoices): FactorSensitivity[] {
  const all = cwssOrder.map((factor): FactorSensitivity => {
    const sorted = stated(factor).toSorted((a, b) => a.weight - b.weight);
    const scored = (choice: CwssChoice | undefined): AlternativeScore => {
      const used = choice ?? choices[factor];
      return { code: used.code, weight: used.weight, score: scoreCwss({ ...choices, [factor]: used }).score };
    };
    return { factor, lowest: scored(sorted[0]), highest: scored(sorted.at(-1)) };
  });
  const span = ({ lowest, highest }: FactorSensitivity): number => highest.score - lowest.score;
  return all.toSorted((a, b) => span(b) - span(a));
}
