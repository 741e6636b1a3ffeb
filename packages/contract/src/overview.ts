import { endpoints } from './endpoint.ts';
import type { overviewSchemas } from './schemas/overview.ts';

/** Numbers of the overview that `explain` explains. */
export const explainedMetrics = [
  'overallRisk',
  'totalThreats',
  'activeThreats',
  'openVulnerabilities',
  'newVulnerabilities',
  'assetsAtRisk',
  'remediationRate',
  'securityStatus',
  'estimatedImpact',
  'riskExposure',
] as const;

/** Steps of the funnel of open vulnerabilities, each a part of the one before it. */
export const funnelSteps = ['open', 'severe', 'on-assets', 'on-mission-critical-assets'] as const;

/** What the causes of a change are summed over: the overall risk score (0-100) or the exposure (0-10). */
export const changeMeasures = ['risk', 'exposure'] as const;

/** Days between the two dates of a comparison, at most. */
export const mostHistoryDays = 3660;

/** Changes that 'What to do first' lists, at most. */
export const mostPriorities = 5;

export const overview = endpoints<typeof overviewSchemas>()({
  metrics: { method: 'GET', path: '/api/overview/metrics', access: 'viewer' },
  riskCategories: { method: 'GET', path: '/api/overview/risk-categories', access: 'viewer' },
  exposureTrend: { method: 'GET', path: '/api/overview/risk-exposure-trend', access: 'viewer' },
  changes: { method: 'GET', path: '/api/overview/changes', access: 'viewer' },
  explain: { method: 'GET', path: '/api/overview/explain/:metric', access: 'viewer' },
  priorities: { method: 'GET', path: '/api/overview/priorities', access: 'viewer' },
  history: { method: 'GET', path: '/api/overview/history', access: 'viewer' },
  recompute: { method: 'POST', path: '/api/overview/recompute', access: 'analyst' },
});
