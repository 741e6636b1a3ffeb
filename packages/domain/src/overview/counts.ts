import { exact } from '../decimal.ts';
import { firstNewDay } from './days.ts';

/** Totals by measure and bucket, as decision 0036 lists them; what is missing is 0. */
export type LedgerTotals = ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly count: number; readonly sum: number }>
>;

/** What the overview counts over an organization (spec 3, Overview metrics; decision 0036). */
export interface OverviewCounts {
  readonly totalThreats: number;
  /** Threats with a risk level above 60. */
  readonly highThreats: number;
  readonly activeThreats: number;
  /** In any status. */
  readonly vulnerabilities: number;
  readonly openVulnerabilities: number;
  /** Vulnerabilities with a severity of at least 9, in any status. */
  readonly critical: number;
  /** Open vulnerabilities with a severity of at least 9. */
  readonly criticalOpen: number;
  /** Open vulnerabilities with a severity of at least 7. */
  readonly severeOpen: number;
  /** Those of `severeOpen` that are related to an asset. */
  readonly severeOnAssets: number;
  /** Those of `severeOpen` that are related to an asset with a criticality of at least 4. */
  readonly severeOnMissionCritical: number;
  /** Open vulnerabilities that were created today or on one of the 30 UTC days before. */
  readonly newVulnerabilities: number;
  /** Those of `newVulnerabilities` with a severity of at least 9, related to an asset with a criticality of at least 4. */
  readonly newCriticalOnMissionCritical: number;
  readonly assets: number;
  /** Assets with the health Critical or a risk score of at least 7. */
  readonly assetsAtRisk: number;
}

/**
 * The numbers of the overview at the end of a day.
 * @param today UTC day that `totals` belong to, YYYY-MM-DD
 */
export function overviewCounts(totals: LedgerTotals, today: string): OverviewCounts {
  const oldest = firstNewDay(today);
  const of = (measure: string, isCounted: (bucket: string) => boolean = () => true): number =>
    [...(totals.get(measure) ?? [])].reduce(
      (all, [bucket, { count }]) => all + (isCounted(bucket) ? count : 0),
      0,
    );
  // Not the bucket `older` of a snapshot. Days after today, of a clock that was set back, count as in the list.
  const isNew = (bucket: string) => /^\d/u.test(bucket) && bucket >= oldest;
  return {
    totalThreats: of('threats'),
    highThreats: of('threatsHigh'),
    activeThreats: of('threatsActive'),
    vulnerabilities: of('vulnerabilities'),
    openVulnerabilities: of('open'),
    critical: of('critical'),
    criticalOpen: of('openSeverity', (band) => band === 'critical'),
    severeOpen: of('openSeverity', (band) => band === 'critical' || band === 'high'),
    severeOnAssets: of('openSevere', (where) => where === 'on-assets'),
    severeOnMissionCritical: of('openSevere', (where) => where === 'on-mission-critical-assets'),
    newVulnerabilities: of('open', isNew),
    newCriticalOnMissionCritical: of('criticalOnMissionCritical', isNew),
    assets: of('assets'),
    assetsAtRisk: of('assetsAtRisk'),
  };
}

/** Replacement and recovery costs of the assets at risk, in USD (contract, Risk categories). */
export const estimatedImpact = (totals: LedgerTotals): number =>
  totals.get('assetsAtRisk')?.get('')?.sum ?? 0;

export type ChangeType = 'increase' | 'decrease' | 'none';

export interface CountChange {
  /**
   * Percent of the earlier count, one decimal, never below 0; 100 when the earlier count was 0. An increase or decrease
   * of less than 0.05 percent is 0.
   */
  readonly change: number;
  readonly changeType: ChangeType;
}

/** The change of a count against an earlier one (contract, change). Without an earlier count nothing has changed. */
export function changeOf(now: number, before: number | undefined): CountChange {
  if (before === undefined || now === before) return { change: 0, changeType: 'none' };
  const tenths = before === 0 ? 1000 : exact((Math.abs(now - before) * 1000) / before);
  return { change: Math.round(tenths) / 10, changeType: now > before ? 'increase' : 'decrease' };
}
