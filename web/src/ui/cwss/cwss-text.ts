import { cwssValueOf, type CwssFactor } from '@riskboard/domain';

/** 'Best-Available'; 'Quantified' for the code without a value of its own. */
export const valueLabel = (factor: CwssFactor, code: string): string =>
  cwssValueOf(factor, code)?.label ?? 'Quantified';
