import { endpoints } from './endpoint.ts';
import type { riskReportSchemas } from './schemas/risk-report.ts';

/** Tables of a risk report; one of a project has no table about the overall score. */
export const reportTables = [
  'numbers',
  'funnel',
  'categories',
  'exposure',
  'causes',
  'actions',
  'vulnerabilities',
  'assets',
  'threats',
  'sources',
] as const;

/** How often a member is mailed that a report is due; weeks begin on Monday, months on their first day, UTC. */
export const reportIntervals = ['never', 'week', 'month'] as const;

/** Rows of a table of records, at most. */
export const mostReportRows = 25;

/** Maximum number of schedules of one member of an organization. */
export const mostReportSchedules = 100;

export const riskReport = endpoints<typeof riskReportSchemas>()({
  html: { method: 'GET', path: '/api/overview/report', access: 'viewer' },
  table: { method: 'GET', path: '/api/overview/report/table', access: 'viewer' },
  schedules: { method: 'GET', path: '/api/overview/report/schedules', access: 'viewer' },
  // A setting of the caller: a viewer may read the report, so also be reminded of it.
  schedule: { method: 'PUT', path: '/api/overview/report/schedules', access: 'self', sessionOnly: true },
});
