import { endpoints } from './endpoint.ts';
import { projectEntity } from './entities/project.ts';
import { entityList } from './entities/list-fields.ts';
import type { projectSchemas } from './schemas/projects.ts';

export const projectList = entityList(projectEntity);

export const projects = endpoints<typeof projectSchemas>()({
  list: {
    method: 'GET',
    path: '/api/projects',
    access: 'viewer',
  },
  names: {
    method: 'GET',
    path: '/api/projects/names',
    access: 'viewer',
  },
  facets: {
    method: 'GET',
    path: '/api/projects/facets',
    access: 'viewer',
  },
  export: {
    method: 'GET',
    path: '/api/projects/export',
    access: 'viewer',
  },
  metrics: {
    method: 'GET',
    path: '/api/projects/metrics',
    access: 'viewer',
  },
  create: {
    method: 'POST',
    path: '/api/projects',
    access: 'analyst',
    versioned: true,
    createsOnce: true,
  },
  get: {
    method: 'GET',
    path: '/api/projects/:id',
    access: 'viewer',
    versioned: true,
  },
  update: {
    method: 'PUT',
    path: '/api/projects/:id',
    access: 'analyst',
    comparesStored: true,
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/api/projects/:id',
    access: 'analyst',
    versioned: true,
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/projects/bulk',
    access: 'analyst',
  },
  risk: {
    method: 'GET',
    path: '/api/projects/:id/risk',
    access: 'viewer',
  },
  riskHistory: {
    method: 'GET',
    path: '/api/projects/:id/risk-history',
    access: 'viewer',
  },
  deletionPreview: {
    method: 'GET',
    path: '/api/projects/:id/deletion-preview',
    access: 'viewer',
  },
  restore: {
    method: 'POST',
    path: '/api/projects/restore',
    access: 'analyst',
  },
  map: {
    method: 'GET',
    path: '/api/projects/:id/map',
    access: 'viewer',
  },
});
