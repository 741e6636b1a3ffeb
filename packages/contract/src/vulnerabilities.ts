import { endpoints } from './endpoint.ts';
import { vulnerabilityEntity } from './entities/vulnerability.ts';
import { entityList } from './entities/list-fields.ts';
import type { vulnerabilitySchemas } from './schemas/vulnerabilities.ts';

export const vulnerabilityList = entityList(vulnerabilityEntity);

/** Values of the filter `onAssets`; a mission-critical asset has a criticality of at least 4 (spec 9, Assets). */
export const assetRelations = ['any', 'mission-critical'] as const;

export const vulnerabilities = endpoints<typeof vulnerabilitySchemas>()({
  list: {
    method: 'GET',
    path: '/api/vulnerabilities',
    access: 'viewer',
  },
  facets: {
    method: 'GET',
    path: '/api/vulnerabilities/facets',
    access: 'viewer',
  },
  export: {
    method: 'GET',
    path: '/api/vulnerabilities/export',
    access: 'viewer',
  },
  metrics: {
    method: 'GET',
    path: '/api/vulnerabilities/metrics',
    access: 'viewer',
  },
  fromReports: {
    method: 'GET',
    path: '/api/reports/vulnerabilities',
    access: 'viewer',
  },
  fromReportsFacets: {
    method: 'GET',
    path: '/api/reports/vulnerabilities/facets',
    access: 'viewer',
  },
  create: {
    method: 'POST',
    path: '/api/vulnerabilities',
    access: 'analyst',
    versioned: true,
    createsOnce: true,
  },
  get: {
    method: 'GET',
    path: '/api/vulnerabilities/:id',
    access: 'viewer',
    versioned: true,
  },
  update: {
    method: 'PUT',
    path: '/api/vulnerabilities/:id',
    access: 'analyst',
    comparesStored: true,
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/api/vulnerabilities/:id',
    access: 'analyst',
    versioned: true,
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/vulnerabilities/bulk',
    access: 'analyst',
  },
  updateMany: {
    method: 'PUT',
    path: '/api/vulnerabilities/bulk',
    access: 'analyst',
  },
  restore: {
    method: 'POST',
    path: '/api/vulnerabilities/restore',
    access: 'analyst',
  },
  sources: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/sources',
    access: 'viewer',
  },
  revert: {
    method: 'POST',
    path: '/api/vulnerabilities/:id/revert',
    access: 'analyst',
    versioned: true,
  },
  suggestions: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/suggestions',
    access: 'viewer',
  },
  related: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/related',
    access: 'viewer',
  },
  graph: {
    method: 'GET',
    path: '/api/vulnerabilities/:id/graph',
    access: 'viewer',
  },
});
