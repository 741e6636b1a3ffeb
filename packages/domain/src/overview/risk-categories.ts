/** Sums over the open vulnerabilities of a category. */
export interface CategorySums {
  readonly name: string;
  readonly count: number;
  /** Of severities, 0-10 each. */
  readonly severitySum: number;
}

export interface RiskCategory {
  readonly name: string;
  /** Mean severity times 10, 0-100, one decimal. */
  readonly value: number;
  /** Open vulnerabilities. */
  readonly count: number;
}

/** Rings of the chart (spec 9, Overview). */
const mostCategories = 4;

/** The categories with the largest summed severity, the largest first (contract, Risk categories). */
export const riskCategories = (sums: readonly CategorySums[]): RiskCategory[] =>
  sums
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.severitySum - a.severitySum || a.name.localeCompare(b.name, 'en'))
    .slice(0, mostCategories)
    .map(({ name, count, severitySum }) => ({
      name,
      count,
      value: Math.round((severitySum / count) * 100) / 10,
    }));
