import { endpoints } from './endpoint.ts';
import { threatEntity } from './entities/threat.ts';
import { entityList } from './entities/list-fields.ts';
import type { threatSchemas } from './schemas/threats.ts';

export const threatList = entityList(threatEntity);

export const threats = endpoints<typeof threatSchemas>()({
  list: {
    method: 'GET',
    path: '/api/threats',
    access: 'viewer',
    summary: 'Threats of the organization',
  },
  facets: {
    method: 'GET',
    path: '/api/threats/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  export: {
    method: 'GET',
    path: '/api/threats/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
  },
  metrics: {
    method: 'GET',
    path: '/api/threats/metrics',
    access: 'viewer',
    summary: 'Counts over all threats: critical above 70, high above 40 up to 70 (spec 9)',
  },
  create: {
    method: 'POST',
    path: '/api/threats',
    access: 'analyst',
    summary: 'Create a threat',
  },
  get: {
    method: 'GET',
    path: '/api/threats/:id',
    access: 'viewer',
    summary: 'One threat; its version is the ETag',
  },
  update: {
    method: 'PUT',
    path: '/api/threats/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
  },
  delete: {
    method: 'DELETE',
    path: '/api/threats/:id',
    access: 'analyst',
    summary: 'Delete a threat; it can be restored for 30 days',
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/threats/bulk',
    access: 'analyst',
    summary: 'Delete these threats or all that match; above 500 as a job',
  },
  updateMany: {
    method: 'PUT',
    path: '/api/threats/bulk',
    access: 'analyst',
    summary: 'Set activity, type, category or related assets of these or all that match; above 500 as a job',
  },
  restore: {
    method: 'POST',
    path: '/api/threats/restore',
    access: 'analyst',
    summary: 'Bring deleted threats back as they were',
  },
  sources: {
    method: 'GET',
    path: '/api/threats/:id/sources',
    access: 'viewer',
    summary: 'What each report says of it, and where in the report',
  },
  revert: {
    method: 'POST',
    path: '/api/threats/:id/revert',
    access: 'analyst',
    summary: 'Take fields that a person changed back to what the reports say',
  },
  graph: {
    method: 'GET',
    path: '/api/threats/:id/graph',
    access: 'viewer',
    summary: 'The threat, its related assets, and what else concerns those',
  },
});
