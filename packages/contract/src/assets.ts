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
    summary: 'Assets of the organization',
  },
  facets: {
    method: 'GET',
    path: '/api/assets/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  export: {
    method: 'GET',
    path: '/api/assets/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
  },
  create: {
    method: 'POST',
    path: '/api/assets',
    access: 'analyst',
    summary: 'Create an asset in a project',
  },
  get: {
    method: 'GET',
    path: '/api/assets/:id',
    access: 'viewer',
    summary: 'One asset; its version is the ETag',
  },
  update: {
    method: 'PUT',
    path: '/api/assets/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; relations form no cycle',
  },
  delete: {
    method: 'DELETE',
    path: '/api/assets/:id',
    access: 'analyst',
    summary: 'Delete an asset; it can be restored for 30 days',
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/assets/bulk',
    access: 'analyst',
    summary: 'Delete these assets or all that match, restorable for 30 days; above 500 as a job',
  },
  restore: {
    method: 'POST',
    path: '/api/assets/restore',
    access: 'analyst',
    summary: 'Bring deleted assets back as they were, unless their project is gone',
  },
  hierarchy: {
    method: 'GET',
    path: '/api/assets/:id/hierarchy',
    access: 'viewer',
    summary: 'The assets that hang on this one',
  },
});
