import type { OverviewCounts } from './counts.ts';

export const securityStatuses = ['critical', 'poor', 'fair', 'good', 'excellent'] as const;
export type SecurityStatus = (typeof securityStatuses)[number];

/** A status holds when any of these counts is above its limit, worst first (spec 9, Overview). */
export const securityStatusLimits = [
  { status: 'critical', criticalOpen: 5, highThreats: 10, assetsAtRisk: 20 },
  { status: 'poor', criticalOpen: 2, highThreats: 5, assetsAtRisk: 10 },
  { status: 'fair', criticalOpen: 0, highThreats: 2, assetsAtRisk: 5 },
] as const;

/** The overall security status of an organization (spec 9, Overview). */
export function securityStatusOf(counts: OverviewCounts): SecurityStatus {
  const exceeded = securityStatusLimits.find(
    (limit) =>
      counts.criticalOpen > limit.criticalOpen ||
      counts.highThreats > limit.highThreats ||
      counts.assetsAtRisk > limit.assetsAtRisk,
  );
  if (exceeded) return exceeded.status;
  return counts.newVulnerabilities > 0 || counts.totalThreats > 0 ? 'good' : 'excellent';
}
