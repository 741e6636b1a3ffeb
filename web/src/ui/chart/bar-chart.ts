import type { GraphColors } from '../graph/colors.ts';

export type BarColor = Extract<keyof GraphColors, 'red' | 'amber' | 'green' | 'accent' | 'unknown'>;

/** One bar. Labels and texts become HTML in the chart: they never contain what a person entered. */
export interface Bar {
  /** Below the bar. */
  readonly label: string;
  /** In the first column of the table; absent: the label. */
  readonly name?: string;
  /** Null leaves a gap. */
  readonly value: number | null;
  readonly color: BarColor;
  /** The value in words, such as '6.7 (Medium)'. */
  readonly text: string;
}

/** The vertical axis from 0 to `max`, with a tick every `tick`. */
export interface BarAxis {
  readonly max: number;
  readonly tick: number;
}

/** An axis of whole numbers for counts: at most five ticks above 0. */
export function countAxis(values: readonly number[]): BarAxis {
  const most = Math.max(1, ...values);
  const rough = Math.ceil(most / 5);
  const power = 10 ** Math.floor(Math.log10(rough));
  const tick = [1, 2, 5, 10].map((step) => step * power).find((step) => step >= rough) ?? rough;
  return { max: Math.ceil(most / tick) * tick, tick };
}
