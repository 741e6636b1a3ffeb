export interface Spread {
  min: number;
  median: number;
  max: number;
}

/** Minimum, median and maximum. @throws for an empty list */
export function spread(figures: readonly number[]): Spread {
  const sorted = [...figures].toSorted((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (min === undefined || max === undefined || median === undefined) throw new Error('No figures');
  return { min, median, max };
}

export const shown = ({ min, median, max }: Spread, digits = 0): string =>
  [min, median, max].map((figure) => figure.toFixed(digits)).join(' / ');

/** The quantile at `share` (0 to 1). @throws for an empty list */
export function percentile(figures: readonly number[], share: number): number {
  const figure = [...figures].toSorted((a, b) => a - b)[Math.ceil(figures.length * share) - 1];
  if (figure === undefined) throw new Error('No figures');
  return figure;
}

/** The 95th percentile. @throws for an empty list */
export const p95 = (figures: readonly number[]): number => percentile(figures, 0.95);
