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
  },
  facets: {
    method: 'GET',
    path: '/api/threats/facets',
    access: 'viewer',
  },
  export: {
    method: 'GET',
    path: '/api/threats/export',
    access: 'viewer',
  },
  metrics: {
    method: 'GET',
    path: '/api/threats/metrics',
    access: 'viewer',
  },
  create: {
    method: 'POST',
    path: '/api/threats',
    access: 'analyst',
    versioned: true,
    createsOnce: true,
  },
  get: {
    method: 'GET',
    path: '/api/threats/:id',
    access: 'viewer',
    versioned: true,
  },
  update: {
    method: 'PUT',
    path: '/api/threats/:id',
    access: 'analyst',
    comparesStored: true,
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/api/threats/:id',
    access: 'analyst',
    versioned: true,
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/threats/bulk',
    access: 'analyst',
  },
  updateMany: {
    method: 'PUT',
    path: '/api/threats/bulk',
    access: 'analyst',
  },
  restore: {
    method: 'POST',
    path: '/api/threats/restore',
    access: 'analyst',
  },
  sources: {
    method: 'GET',
    path: '/api/threats/:id/sources',
    access: 'viewer',
  },
  revert: {
    method: 'POST',
    path: '/api/threats/:id/revert',
    access: 'analyst',
    versioned: true,
  },
  suggestions: {
    method: 'GET',
    path: '/api/threats/:id/suggestions',
    access: 'viewer',
  },
  related: {
    method: 'GET',
    path: '/api/threats/:id/related',
    access: 'viewer',
  },
  graph: {
    method: 'GET',
    path: '/api/threats/:id/graph',
    access: 'viewer',
  },
});
