import { exact } from '../decimal.ts';
import { vulnerabilityCategories } from '../vulnerability.ts';
import type { LedgerTotals } from './counts.ts';

export interface RiskCategory {
  readonly id: number;
  readonly name: string;
  /** Mean severity times 10, 0-100, one decimal. */
  readonly value: number;
  /** Open vulnerabilities with a severity. */
  readonly count: number;
  /** CSS color, at least 3:1 against the surfaces of both themes (WCAG 2.2, 1.4.11). */
  readonly color: string;
}

/** Rings of the chart (spec 9, Overview). */
const mostCategories = 4;

/** Of each category, so that it keeps its color when the order changes; none is the color of a severity. */
const colors: Readonly<Record<keyof typeof vulnerabilityCategories, string>> = {
  1: '#4f76e0',
  2: '#1d9187',
  3: '#a45bc4',
  4: '#a5734a',
  5: '#3a8fc0',
  6: '#c9559e',
};

/** The categories with the largest summed severity, the largest first (contract, Risk categories). */
export function riskCategories(totals: LedgerTotals): RiskCategory[] {
  const sums = totals.get('openCategory');
  return Object.entries(vulnerabilityCategories)
    .flatMap(([id, name]) => {
      const { count, sum } = sums?.get(id) ?? { count: 0, sum: 0 };
      return count > 0 ? [{ id: Number(id) as keyof typeof colors, name, count, sum }] : [];
    })
    .toSorted((a, b) => b.sum - a.sum || a.id - b.id)
    .slice(0, mostCategories)
    .map(({ sum, ...category }) => ({
      ...category,
      value: Math.round(exact((sum / category.count) * 100)) / 10,
      color: colors[category.id],
    }));
}
