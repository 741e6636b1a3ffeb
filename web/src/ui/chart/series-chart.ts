import type { GraphColors } from '../graph/colors.ts';

/** Colors with a contrast of 3:1 to the ground in both themes (WCAG 1.4.11), and green, which bars also hatch. */
export type SeriesColor = Extract<keyof GraphColors, 'accent' | 'green' | 'muted' | 'red' | 'text'>;

/** One line, or one group of bars. Names and texts become HTML in the chart: they never contain what a person entered. */
export interface Series {
  readonly name: string;
  readonly color: SeriesColor;
  /** One for each point; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** The values in words, such as '6.7 (Medium)'. */
  readonly texts: readonly string[];
  /** Length of the dashes of a line in pixels; absent: a solid line. */
  readonly dash?: number;
  /** Each point has a dot: for series with few points and many gaps. */
  readonly dots?: boolean;
  /** It is a column of the table and not drawn. */
  readonly tableOnly?: boolean;
}

/** A point of the horizontal axis. */
export interface SeriesPoint {
  /** Below the chart. */
  readonly label: string;
  /** In the table and the tooltip. */
  readonly name: string;
}

export interface SeriesChart {
  readonly kind: 'line' | 'bar';
  readonly points: readonly SeriesPoint[];
  readonly series: readonly Series[];
  /** The vertical axis with a tick every `tick`; it starts at 0 without `min`. */
  readonly axis: SeriesAxis;
  /** The axis of these shown series, where a user may hide some; absent: all are always shown. */
  readonly axisOf?: (shown: readonly Series[]) => SeriesAxis;
}

export interface SeriesAxis {
  readonly min?: number;
  readonly max: number;
  readonly tick: number;
}

/** The chart without the hidden series, and with the axis of the others; those of the table only are not drawn anyway. */
export function withoutHidden(chart: SeriesChart, hidden: readonly string[]): SeriesChart {
  if (chart.axisOf === undefined) return chart;
  const series = chart.series.filter(({ name, tableOnly = false }) => !tableOnly && !hidden.includes(name));
  return { ...chart, series, axis: chart.axisOf(series) };
}

/** Names of the hidden series after a click on one of all names. A chart is never empty: hiding the last one shows all. */
export function toggled(hidden: readonly string[], name: string, all: readonly string[]): readonly string[] {
  if (hidden.includes(name)) return hidden.filter((other) => other !== name);
  return hidden.length + 1 === all.length ? [] : [...hidden, name];
}

/** Indexes of the points that are not gaps. */
export const drawnPoints = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, at) => (value === null ? [] : [at]));

/** Indexes of the values without a neighbor: a line through one point is not visible. */
export const isolatedPoints = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, at) => {
    const [before, after] = [values[at - 1] ?? null, values[at + 1] ?? null];
    return value !== null && before === null && after === null ? [at] : [];
  });
