import type { reportTables } from '@riskboard/contract';

export type ReportTableName = (typeof reportTables)[number];

/** A cell of a report: null is shown as N/A. */
export type Cell = string | number | null;

export interface ReportColumn {
  key: string;
  label: string;
  /** Numbers are aligned at the right. */
  isNumber?: true;
  /** Decimals that the page shows; the CSV has the number as it is. */
  digits?: number;
  /** A day, YYYY-MM-DD; the page shows it in words. */
  isDay?: true;
  /** The rows may have a `unit` of this number: the page shows it behind the number, the CSV behind the name of the row. */
  hasUnit?: true;
  /** A change: the page shows its sign. */
  isSigned?: true;
  /** Texts of users and reports break into lines; all others are short and stay on one. */
  wraps?: true;
}

export interface ReportTable {
  name: ReportTableName;
  title: string;
  /** What the table counts and how. */
  note: string;
  columns: readonly ReportColumn[];
  rows: readonly Readonly<Record<string, Cell>>[];
  /** Shown when there are no rows. */
  empty: string;
}

export interface RiskReport {
  /** The organization or the project. */
  subject: string;
  organization: string;
  isProject: boolean;
  /** ISO 8601, UTC: when the numbers were read. */
  asOf: string;
  author: string;
  headline: readonly string[];
  tables: readonly ReportTable[];
}
