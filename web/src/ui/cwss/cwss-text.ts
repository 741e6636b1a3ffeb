import { cwssValueOf, type CwssFactor } from '@riskboard/domain';

/** 'Best-Available'; 'Quantified' for the code without a value of its own. */
export const valueLabel = (factor: CwssFactor, code: string): string =>
  cwssValueOf(factor, code)?.label ?? 'Quantified';

/** 'Moderate' of 'M', 'Quantified 0.75' of 'Q 0.75': a value as it is logged, with its weight where that is free. */
export function valueText(factor: CwssFactor, logged: string): string {
  const [code = '', ...weight] = logged.split(' ');
  return [valueLabel(factor, code), ...weight].join(' ');
}
