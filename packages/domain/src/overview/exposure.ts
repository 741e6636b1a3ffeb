import { severityBands } from '../scales.ts';

/** A vulnerability as the exposure trend reads it; days are calendar days, 'YYYY-MM-DD'. */
export interface ExposedVulnerability {
  /** 0-10. */
  readonly severity: number;
  /** The discovery, or the creation without one. */
  readonly since: string;
  /** The day on which it was fixed; null while it is not. */
  readonly fixed: string | null;
}

export type ExposureLevel = 'High' | 'Medium' | 'Low';

export interface ExposurePoint {
  /** Last day of the month. */
  readonly date: string;
  /** Mean severity, 0-10, one decimal; null in a month without an open vulnerability. */
  readonly severity: number | null;
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

/** Whether the vulnerability was open at the end of a day. */
const isOpenAt = ({ since, fixed }: ExposedVulnerability, day: string): boolean =>
  since <= day && (fixed === null || fixed > day);

/** Mean severity of the vulnerabilities open at the end of each of the last months (contract, Exposure trend). */
export function exposureTrend(
  vulnerabilities: readonly ExposedVulnerability[],
  today: string,
): ExposurePoint[] {
  return monthEnds(today).map((date) => {
    const open = vulnerabilities.filter((one) => isOpenAt(one, date));
    if (open.length === 0) return { date, severity: null, level: null };
    const mean = open.reduce((sum, { severity }) => sum + severity, 0) / open.length;
    return { date, severity: Math.round(mean * 10) / 10, level: exposureLevel(mean) };
  });
}
