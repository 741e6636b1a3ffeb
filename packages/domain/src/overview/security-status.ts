import type { OverviewCounts } from './counts.ts';

export const securityStatuses = ['critical', 'poor', 'fair', 'good', 'excellent'] as const;
export type SecurityStatus = (typeof securityStatuses)[number];

/** A status holds when any of these counts is above its limit, worst first (spec 9, Overview). */
export const securityStatusLimits = [
  { status: 'critical', criticalOpen: 5, highThreats: 10, assetsAtRisk: 20 },
  { status: 'poor', criticalOpen: 2, highThreats: 5, assetsAtRisk: 10 },
  { status: 'fair', criticalOpen: 0, highThreats: 2, assetsAtRisk: 5 },
] as const;

const limitedCounts = ['criticalOpen', 'highThreats', 'assetsAtRisk'] as const;

export interface ExceededLimit {
  readonly status: SecurityStatus;
  /** The first count above its limit. */
  readonly count: (typeof limitedCounts)[number];
  readonly limit: number;
}

/** The limit that decides the status; undefined for a good or excellent one. */
export function exceededLimit(counts: OverviewCounts): ExceededLimit | undefined {
  for (const limits of securityStatusLimits) {
    const count = limitedCounts.find((name) => counts[name] > limits[name]);
    if (count !== undefined) return { status: limits.status, count, limit: limits[count] };
  }
  return undefined;
}

/** The overall security status of an organization (spec 9, Overview). */
export function securityStatusOf(counts: OverviewCounts): SecurityStatus {
  const exceeded = exceededLimit(counts);
  if (exceeded !== undefined) return exceeded.status;
  return counts.newVulnerabilities > 0 || counts.totalThreats > 0 ? 'good' : 'excellent';
}
