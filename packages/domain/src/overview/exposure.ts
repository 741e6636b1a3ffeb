import { exact } from '../decimal.ts';
import { severityBands } from '../scales.ts';
import type { LedgerTotals } from './counts.ts';
import type { ExposureTotal } from './exposure-change.ts';

export type ExposureLevel = 'High' | 'Medium' | 'Low';

export interface ExposurePoint {
  /** Last day of the month; of the current month, today. */
  readonly date: string;
  /** Mean severity, 0-10, one decimal; null in a month without an open vulnerability. */
  readonly severity: number | null;
  /** Of that severity, so that a mean of 6.96 is 7 and High. */
  readonly level: ExposureLevel | null;
}

/** Level of a mean severity (contract, Exposure trend). */
export function exposureLevel(severity: number): ExposureLevel {
  const [, high, medium] = severityBands;
  if (severity >= high.from) return 'High';
  return severity >= medium.from ? 'Medium' : 'Low';
}

const monthsShown = 12;

/** Last days of the last months up to that of `today`, whose own end is `today` itself; oldest first. */
export function monthEnds(today: string, months = monthsShown): string[] {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return Array.from({ length: months }, (_, at) => {
    const back = months - 1 - at;
    if (back === 0) return today;
    // Day 0 of the next month is the last day of this one.
    return new Date(Date.UTC(year, month - back, 0)).toISOString().slice(0, 10);
  });
}

/** What a measure counts in the buckets that are chosen. */
function added(totals: LedgerTotals, measure: string, isChosen: (bucket: string) => boolean): ExposureTotal {
  let [count, sum] = [0, 0];
  for (const [bucket, total] of totals.get(measure) ?? []) {
    if (!isChosen(bucket)) continue;
    count += total.count;
    sum += total.sum;
  }
  return { count, sum };
}

/** The open vulnerabilities with a severity, and the sum of their severities. */
export function openSeverities(totals: LedgerTotals): ExposureTotal {
  const { count, sum } = added(totals, 'openSeverity', (band) => band !== 'none');
  return { count, sum: exact(sum) };
}

/** Mean severity, 0-10, one decimal; null without a vulnerability. */
export const meanSeverity = ({ count, sum }: ExposureTotal): number | null =>
  count <= 0 ? null : Math.round(exact(sum / count) * 10) / 10;

/** The vulnerabilities that were open at the end of a month: discovered, and not closed by then. */
function openAt(totals: LedgerTotals, end: string): ExposureTotal {
  const [found, closed] = ['exposed', 'unexposed'].map((measure) =>
    added(totals, measure, (month) => month <= end),
  ) as [ExposureTotal, ExposureTotal];
  return { count: found.count - closed.count, sum: found.sum - closed.sum };
}

/**
 * Mean severity of the vulnerabilities open at the end of each of the last 12 months (contract, Exposure trend), from the
 * months in which they were discovered and closed (decision 0036). Today's point counts all that are open, also one with a
 * day of discovery in the future.
 * @param today UTC day, YYYY-MM-DD
 */
export function exposureTrend(totals: LedgerTotals, today: string): ExposurePoint[] {
  return monthEnds(today).map((date) => {
    const severity = meanSeverity(date === today ? openSeverities(totals) : openAt(totals, date));
    return { date, severity, level: severity === null ? null : exposureLevel(severity) };
  });
}
