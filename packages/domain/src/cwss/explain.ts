import type { CwssCalculation } from './calculate.ts';
import { cwssOrder, weightUnit, type CwssFactor } from './factors.ts';
import { cwssSensitivity, type AlternativeScore } from './sensitivity.ts';
import type { SuggestedFactor } from './suggested-factors.ts';

/** One of the 16 factors with its weight, its origin and its influence. Weights are 0-1. */
export interface ExplainedFactor {
  code: CwssFactor;
  value: string;
  weight: number;
  source: SuggestedFactor['source'];
  reason: string;
  /**
   * Percent of the sum inside its sub-score, one decimal. Null for the factors that multiply (IC and EC), and for a sum
   * of 0.
   */
  share: number | null;
  lowest: { value: string; score: number };
  highest: { value: string; score: number };
  /** Without the analyst; null unless an analyst set the factor. */
  suggested: { value: string; weight: number; reason: string } | null;
}

export interface CwssCompleteness {
  known: number;
  default: number;
  unknown: number;
}

/** The sums of the formula with the multiple of each factor (CWSS 1.0.1, section 2.3). */
const sums: readonly Readonly<Partial<Record<CwssFactor, number>>>[] = [
  { TI: 10, AP: 5, AL: 5, FC: 5 },
  { RP: 20, RL: 20, AV: 20, SC: 20, IN: 15, AS: 5 },
  { BI: 10, DI: 3, EX: 4, P: 3 },
];

function shareOf(factor: CwssFactor, factors: CwssCalculation['factors']): number | null {
  const sum = sums.find((multiples) => multiples[factor] !== undefined);
  if (sum === undefined) return null;
  const part = (code: CwssFactor): number => (sum[code] ?? 0) * factors[code].weight;
  const all = (Object.keys(sum) as CwssFactor[]).reduce((total, code) => total + part(code), 0);
  return all === 0 ? null : Math.round((1000 * part(factor)) / all) / 10;
}

const alternative = ({ code, score }: AlternativeScore) => ({ value: code, score });

/** Every factor of a calculation with its share and the scores that it alone could give. */
export function explainFactors({ factors, suggested }: CwssCalculation): ExplainedFactor[] {
  const spans = new Map(cwssSensitivity(factors).map((one) => [one.factor, one]));
  return cwssOrder.map((code): ExplainedFactor => {
    const { code: value, weight, source, reason } = factors[code];
    const span = spans.get(code);
    const unchanged = { code: value, weight, score: 0 };
    const own = suggested[code];
    return {
      code,
      value,
      weight: weight / weightUnit,
      source,
      reason,
      share: shareOf(code, factors),
      lowest: alternative(span?.lowest ?? unchanged),
      highest: alternative(span?.highest ?? unchanged),
      suggested:
        source === 'analyst'
          ? { value: own.code, weight: own.weight / weightUnit, reason: own.reason }
          : null,
    };
  });
}

/** How many factors state something, and how many are Default or Unknown; 16 together. */
export function completenessOf({ factors }: CwssCalculation): CwssCompleteness {
  const codes = cwssOrder.map((factor) => factors[factor].code);
  const byDefault = codes.filter((code) => code === 'D').length;
  const unknown = codes.filter((code) => code === 'U' || code === 'UK').length;
  return { known: codes.length - byDefault - unknown, default: byDefault, unknown };
}
