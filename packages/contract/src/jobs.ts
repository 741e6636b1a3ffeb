import { endpoints } from './endpoint.ts';
import { defineList } from './list.ts';
import type { jobSchemas } from './schemas/jobs.ts';

/** What an extraction reads from a report. */
export const extractKinds = ['vulnerabilities', 'threats'] as const;

/** Lists whose rows a bulk job works on, by ids or by the filter of the list's own query. */
export const recordNouns = ['vulnerabilities', 'threats'] as const;
export const bulkNouns = [...recordNouns, 'assets', 'projects', 'reports'] as const;

/**
 * Every kind of background work; `jobKindSchemas` has its payload and result.
 * `tries`: how often a job may run before it fails; the wait between tries starts at `backoffMs` and doubles.
 */
export const jobKinds = {
  'stix.parse': { tries: 3, backoffMs: 1000 },
  'stix.extract': { tries: 3, backoffMs: 1000 },
  'records.delete': { tries: 3, backoffMs: 1000 },
  'records.update': { tries: 3, backoffMs: 1000 },
  'organization.delete': { tries: 10, backoffMs: 1000 },
} as const satisfies Record<string, { tries: number; backoffMs: number }>;

export type JobKind = keyof typeof jobKinds;

export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export const jobList = defineList(
  {
    /** The file that it works on; empty for work on records, and once the file is deleted. */
    fileName: { label: 'File', kind: 'text' },
    kind: { label: 'Job', kind: 'choice', values: Object.keys(jobKinds) },
    state: { label: 'State', kind: 'choice', values: jobStates },
    result: { label: 'Result', kind: 'text', sortable: false },
    error: { label: 'Error', kind: 'text', sortable: false },
    /** Seconds of the last run; empty until it has ended. */
    took: { label: 'Took (seconds)', kind: 'number' },
    /** How often it was started. */
    attempt: { label: 'Attempts', kind: 'number' },
    createdAt: { label: 'Asked for', kind: 'time' },
    startedAt: { label: 'Started', kind: 'time' },
    finishedAt: { label: 'Ended', kind: 'time' },
  },
  '-createdAt',
);

export const jobs = endpoints<typeof jobSchemas>()({
  list: {
    method: 'GET',
    path: '/api/jobs',
    access: 'viewer',
    summary: 'Background jobs, newest first; search runs over file name and error',
  },
  facets: {
    method: 'GET',
    path: '/api/jobs/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  export: {
    method: 'GET',
    path: '/api/jobs/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
  },
  get: {
    method: 'GET',
    path: '/api/jobs/:id',
    access: 'viewer',
    summary: 'One job with its progress and result',
  },
  cancel: {
    method: 'POST',
    path: '/api/jobs/:id/cancel',
    access: 'analyst',
    summary: 'Cancel a queued or running job; nothing half-done stays',
  },
  retry: {
    method: 'POST',
    path: '/api/jobs/:id/retry',
    access: 'analyst',
    summary: 'Run a failed or cancelled job again',
  },
});
