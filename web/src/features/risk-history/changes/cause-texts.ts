import { lazily } from '@riskboard/domain';
import { formatNumber } from '../../../lib/format/format.ts';
import type { Changes } from '../queries.ts';
import { decimalsOf, type CauseStep } from './cause-steps.ts';

type Measure = Changes['measure'];

/** What the two measures are named in sentences. */
export const measureLabels = { risk: 'Overall risk score', exposure: 'Risk exposure' } as const;

const formats = {
  risk: lazily(
    () =>
      new Intl.NumberFormat('en-US', { signDisplay: 'exceptZero', maximumFractionDigits: decimalsOf.risk }),
  ),
  exposure: lazily(
    () =>
      new Intl.NumberFormat('en-US', {
        signDisplay: 'exceptZero',
        minimumFractionDigits: decimalsOf.exposure,
        maximumFractionDigits: decimalsOf.exposure,
      }),
  ),
} as const satisfies Record<Measure, () => Intl.NumberFormat>;

/** '+4.5', '-0.120', '0' with a real minus sign. */
export const signedText = (measure: Measure, delta: number): string =>
  formats[measure]().format(delta).replace('-', '−');

/** '42', '6.417'. */
export const scoreText = (measure: Measure, score: number): string =>
  measure === 'risk' ? formatNumber(score) : score.toFixed(decimalsOf.exposure);

/** Causes that are part of the calculation and not of the records. */
const calculation: ReadonlySet<string> = new Set(['formula', 'rounding', 'cap', 'unexplained']);

/** What a cause does to the score. A higher score is worse. */
export const effects = {
  raises: { label: 'Raises the score', text: 'text-danger', bar: 'bg-graph-red' },
  lowers: { label: 'Lowers the score', text: 'text-success', bar: 'bg-graph-low' },
  neutral: { label: 'Calculation', text: 'text-muted', bar: 'bg-line-strong' },
} as const;

export function effectOf({ code, delta }: Pick<CauseStep, 'code' | 'delta'>): keyof typeof effects {
  if (calculation.has(code)) return 'neutral';
  return delta < 0 ? 'lowers' : 'raises';
}
