import { endpoints } from './endpoint.ts';
import { assetEntity } from './entities/asset.ts';
import { entityList } from './entities/list-fields.ts';
import type { assetSchemas } from './schemas/assets.ts';

export const assetList = entityList(assetEntity);

export const assets = endpoints<typeof assetSchemas>()({
  list: {
    method: 'GET',
    path: '/api/assets',
    access: 'viewer',
  },
  facets: {
    method: 'GET',
    path: '/api/assets/facets',
    access: 'viewer',
  },
  export: {
    method: 'GET',
    path: '/api/assets/export',
    access: 'viewer',
  },
  metrics: {
    method: 'GET',
    path: '/api/assets/metrics',
    access: 'viewer',
  },
  create: {
    method: 'POST',
    path: '/api/assets',
    access: 'analyst',
    versioned: true,
    createsOnce: true,
  },
  get: {
    method: 'GET',
    path: '/api/assets/:id',
    access: 'viewer',
    versioned: true,
  },
  update: {
    method: 'PUT',
    path: '/api/assets/:id',
    access: 'analyst',
    comparesStored: true,
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/api/assets/:id',
    access: 'analyst',
    versioned: true,
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/assets/bulk',
    access: 'analyst',
  },
  updateMany: {
    method: 'PUT',
    path: '/api/assets/bulk',
    access: 'analyst',
  },
  restore: {
    method: 'POST',
    path: '/api/assets/restore',
    access: 'analyst',
  },
  relate: {
    method: 'POST',
    path: '/api/assets/:id/relations',
    access: 'analyst',
  },
  suggestions: {
    method: 'GET',
    path: '/api/assets/:id/suggestions',
    access: 'viewer',
  },
  score: {
    method: 'GET',
    path: '/api/assets/:id/score',
    access: 'viewer',
  },
  hierarchy: {
    method: 'GET',
    path: '/api/assets/:id/hierarchy',
    access: 'viewer',
  },
  blastRadius: {
    method: 'GET',
    path: '/api/assets/:id/blast-radius',
    access: 'viewer',
  },
});
