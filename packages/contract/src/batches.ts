import { endpoints } from './endpoint.ts';
import { defineList } from './list.ts';
import type { batchSchemas } from './schemas/batches.ts';

/** Of a file in a batch: `withIssues` was read and extracted, but not all of it. */
export const batchFileStates = [
  'queued',
  'running',
  'succeeded',
  'withIssues',
  'failed',
  'cancelled',
] as const;

/** Of a batch: `receiving` expects more files than it has received. */
export const batchStatuses = ['receiving', 'running', 'paused', 'cancelled', 'finished'] as const;

/** Whether the report of a file is still the one that the batch uploaded. */
export const batchReportStates = ['current', 'replaced', 'deleted', 'refused'] as const;

/** The steps of a file in a batch, in their order. */
export const batchSteps = ['read', 'extract'] as const;

/** How a run of a step ended; `retried`: it is tried again, `lost`: its worker stopped. */
export const attemptOutcomes = ['succeeded', 'failed', 'cancelled', 'retried', 'lost'] as const;

export const batchFileList = defineList(
  {
    name: { label: 'File', kind: 'text' },
    state: { label: 'Result', kind: 'choice', values: batchFileStates },
    issues: { label: 'Issues', kind: 'number' },
    message: { label: 'Message', kind: 'text', sortable: false },
    size: { label: 'Size (bytes)', kind: 'number' },
    objects: { label: 'Objects', kind: 'number' },
    created: { label: 'Created', kind: 'number' },
    updated: { label: 'Updated', kind: 'number' },
    unchanged: { label: 'Unchanged', kind: 'number' },
    skipped: { label: 'Skipped', kind: 'number' },
    report: { label: 'Report', kind: 'choice', values: batchReportStates },
    receivedAt: { label: 'Received', kind: 'time' },
    startedAt: { label: 'Started', kind: 'time' },
    endedAt: { label: 'Ended', kind: 'time' },
  },
  'receivedAt',
);

export const batches = endpoints<typeof batchSchemas>()({
  list: { method: 'GET', path: '/api/batches', access: 'viewer' },
  create: { method: 'POST', path: '/api/batches', access: 'analyst' },
  estimate: { method: 'GET', path: '/api/batches/estimate', access: 'viewer' },
  get: { method: 'GET', path: '/api/batches/:id', access: 'viewer' },
  close: { method: 'POST', path: '/api/batches/:id/close', access: 'analyst' },
  retry: { method: 'POST', path: '/api/batches/:id/retry', access: 'analyst' },
  cancel: { method: 'POST', path: '/api/batches/:id/cancel', access: 'analyst' },
  pause: { method: 'POST', path: '/api/batches/:id/pause', access: 'analyst' },
  resume: { method: 'POST', path: '/api/batches/:id/resume', access: 'analyst' },
  report: { method: 'GET', path: '/api/batches/:id/report', access: 'viewer' },
  files: { method: 'GET', path: '/api/batches/:id/files', access: 'viewer' },
  filesFacets: { method: 'GET', path: '/api/batches/:id/files/facets', access: 'viewer' },
  filesExport: { method: 'GET', path: '/api/batches/:id/files/export', access: 'viewer' },
});
