import type { LedgerTotals, OverviewCounts } from '../counts.ts';
import { overviewLinks } from '../insights.ts';

export interface ExplanationInput {
  readonly name: string;
  readonly value: number;
  /** What one of it adds, where the formula weighs it. */
  readonly weight?: number;
  /** What it adds to the value; those of all inputs add up to the value exactly. */
  readonly adds?: number;
  /** The list with exactly `value` rows; null without such a list. */
  readonly query: string | null;
}

export interface NumberExplanation {
  readonly label: string;
  readonly value: number | string | null;
  readonly formula: string;
  readonly inputs: readonly ExplanationInput[];
  readonly bands: readonly { readonly label: string; readonly rule: string; readonly current: boolean }[];
}

export interface State {
  readonly totals: LedgerTotals;
  readonly counts: OverviewCounts;
  /** UTC day, YYYY-MM-DD. */
  readonly today: string;
}

export type Explained = Omit<NumberExplanation, 'bands'> & Partial<Pick<NumberExplanation, 'bands'>>;

export const countInputs = {
  totalThreats: { name: 'Threats', query: overviewLinks.threats },
  openVulnerabilities: { name: 'Open vulnerabilities', query: overviewLinks.open },
  newVulnerabilities: { name: 'New vulnerabilities', query: overviewLinks.new },
  assetsAtRisk: { name: 'Assets at risk', query: overviewLinks.atRisk },
  criticalOpen: { name: 'Open critical vulnerabilities', query: overviewLinks.criticalOpen },
  highThreats: { name: 'Threats with a high risk level', query: overviewLinks.highThreats },
} as const;

export const inputOf = (counts: OverviewCounts, count: keyof typeof countInputs): ExplanationInput => ({
  ...countInputs[count],
  value: counts[count],
});

/** A part of a count: one of it adds one. */
export const part = (name: string, value: number, query: string): ExplanationInput => ({
  name,
  value,
  adds: value,
  query,
});
/** A part that the count leaves out. */
export const leftOut = (name: string, value: number, query: string): ExplanationInput => ({
  name,
  value,
  adds: -value,
  query,
});

/** A part of the calculation that counts no rows. */
export const calculated = (name: string, value: number): ExplanationInput[] =>
  value === 0 ? [] : [{ name, value, adds: value, query: null }];
