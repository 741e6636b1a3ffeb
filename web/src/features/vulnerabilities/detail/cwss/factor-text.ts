import type { CwssExplanation, CwssFactorExplanation } from '@riskboard/contract';
import {
  cwssFactors,
  isCwssFactor,
  weightText,
  weightUnit,
  type CwssChoices,
  type CwssFactor,
} from '@riskboard/domain';
import { valueText } from '../../../../ui/cwss/cwss-text.ts';

/** The weight of the domain, in units of 1/10,000, from that of the contract, 0 to 1. */
export const unitsOf = (weight: number): number => Math.round(weight * weightUnit);

/** The factors of an explanation as the domain scores them. */
export const choicesOf = (factors: readonly CwssFactorExplanation[]): CwssChoices =>
  Object.fromEntries(
    factors.map(({ code, value, weight }) => [code, { code: value, weight: unitsOf(weight) }]),
  ) as unknown as CwssChoices;

/** 'External Control Effectiveness'. */
export const factorLabel = (factor: CwssFactor): string => cwssFactors[factor].label;

/** '0.75' of a weight from 0 to 1. */
export const weightLabel = (weight: number): string => weightText(unitsOf(weight));

/** '71.2': scores have one decimal. */
export const scoreText = (score: number): string => score.toFixed(1);

/** '0.7325': all decimals of a sub-score or a weight; they have at most ten, and the formula rounds none. */
export const decimals = (value: number): string => value.toFixed(10).replace(/\.?0+$/u, '');

/** '+3.1', '−49.8', '±0.0': a difference of two scores. */
export function differenceText(difference: number): string {
  const text = scoreText(Math.abs(difference));
  if (text === '0.0') return '±0.0';
  return `${difference > 0 ? '+' : '−'}${text}`;
}

/** 'External Control Effectiveness: None → Moderate' of a change such as 'EC: N to M'; other changes as they are. */
export function changeText(change: string): string {
  const [, factor = '', rest = ''] = /^([A-Z]{1,2}): (.+)$/u.exec(change) ?? [];
  if (!isCwssFactor(factor)) return change;
  const [, from, to] = /^(\S+(?: [\d.]+)?) to (\S+(?: [\d.]+)?)$/u.exec(rest) ?? [];
  if (from === undefined || to === undefined) return `${factorLabel(factor)}: ${rest}`;
  return `${factorLabel(factor)}: ${valueText(factor, from)} → ${valueText(factor, to)}`;
}

/** The factor Technical Impact when an analyst set it: the rating of the vignette is a suggestion then. */
export const analystsImpact = ({
  factors,
}: Pick<CwssExplanation, 'factors'>): CwssFactorExplanation | undefined =>
  factors.find(({ code, source }) => code === 'TI' && source === 'analyst');

/** The factors of an explanation whose value is Default or Unknown. */
export const openFactors = ({ factors }: Pick<CwssExplanation, 'factors'>): CwssFactorExplanation[] =>
  factors.filter(({ value }) => ['D', 'U', 'UK'].includes(value));
