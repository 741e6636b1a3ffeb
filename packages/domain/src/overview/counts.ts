/** What the overview counts over an organization (spec 3, Overview metrics). */
export interface OverviewCounts {
  readonly totalThreats: number;
  /** Threats with a risk level above 60. */
  readonly highThreats: number;
  readonly openVulnerabilities: number;
  /** Open vulnerabilities with a severity of at least 9. */
  readonly criticalOpen: number;
  /** Open vulnerabilities that were created in the last 30 days. */
  readonly newVulnerabilities: number;
  /** Assets with the health Critical or a risk score of at least 7. */
  readonly assetsAtRisk: number;
}

export type ChangeType = 'increase' | 'decrease' | 'none';

export interface CountChange {
  /** Percent of the earlier count, one decimal, never below 0; 100 when the earlier count was 0. */
  readonly change: number;
  readonly changeType: ChangeType;
}

/** The change of a count against an earlier one (contract, change). Without an earlier count nothing has changed. */
export function changeOf(now: number, before: number | undefined): CountChange {
  if (before === undefined || now === before) return { change: 0, changeType: 'none' };
  const percent = before === 0 ? 100 : (Math.abs(now - before) / before) * 100;
  return { change: Math.round(percent * 10) / 10, changeType: now > before ? 'increase' : 'decrease' };
}
