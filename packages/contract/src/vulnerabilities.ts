import { endpoints } from './endpoint.ts';
import { vulnerabilityEntity } from './entities/vulnerability.ts';
import { entityList } from './entities/list-fields.ts';
import type { vulnerabilitySchemas } from './schemas/vulnerabilities.ts';

export const vulnerabilityList = entityList(vulnerabilityEntity);

export const vulnerabilities = endpoints<typeof vulnerabilitySchemas>()({
  list: {
    method: 'GET',
    path: '/api/vulnerabilities',
    access: 'viewer',
    summary: 'Vulnerabilities of the organization',
  },
  facets: {
    method: 'GET',
    path: '/api/vulnerabilities/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  export: {
    method: 'GET',
    path: '/api/vulnerabilities/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
  },
  metrics: {
    method: 'GET',
    path: '/api/vulnerabilities/metrics',
    access: 'viewer',
    summary: 'Counts over all vulnerabilities: Critical above 8, High above 6 up to 8 (spec 9)',
  },
  fromReports: {
    method: 'GET',
    path: '/api/reports/vulnerabilities',
    access: 'viewer',
    summary: 'Vulnerabilities that a report asserts',
  },
  create: {
    method: 'POST',
    path: '/api/vulnerabilities',
    access: 'analyst',
    summary: 'Create a vulnerability',
  },
  get: {
    method: 'GET',
    path: '/api/vulnerabilities/:id',
    access: 'viewer',
    summary: 'One vulnerability; its version is the ETag',
  },
  update: {
    method: 'PUT',
    path: '/api/vulnerabilities/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
  },
  delete: {
    method: 'DELETE',
    path: '/api/vulnerabilities/:id',
    access: 'analyst',
    summary: 'Delete a vulnerability; it can be restored for 30 days',
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/vulnerabilities/bulk',
    access: 'analyst',
    summary: 'Delete these vulnerabilities or all that match; above 500 as a job',
  },
  updateMany: {
    method: 'PUT',
    path: '/api/vulnerabilities/bulk',
    access: 'analyst',
    summary: 'Set status, category or related assets of these or all that match; above 500 as a job',
  },
  restore: {
    method: 'POST',
    path: '/api/vulnerabilities/restore',
    access: 'analyst',
    summary: 'Bring deleted vulnerabilities back as they were',
  },
  sources: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/sources',
    access: 'viewer',
    summary: 'What each report says of it, and where in the report',
  },
  revert: {
    method: 'POST',
    path: '/api/vulnerabilities/:id/revert',
    access: 'analyst',
    summary: 'Take fields that a person changed back to what the reports say',
  },
  graph: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/graph',
    access: 'viewer',
    summary: 'The vulnerability, its related assets, and what else concerns those',
  },
});
