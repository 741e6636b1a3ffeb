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
    summary: 'Projects of the organization',
  },
  facets: {
    method: 'GET',
    path: '/api/projects/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  export: {
    method: 'GET',
    path: '/api/projects/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
  },
  create: {
    method: 'POST',
    path: '/api/projects',
    access: 'analyst',
    summary: 'Create a project',
  },
  get: {
    method: 'GET',
    path: '/api/projects/:id',
    access: 'viewer',
    summary: 'One project; its version is the ETag',
  },
  update: {
    method: 'PUT',
    path: '/api/projects/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
  },
  delete: {
    method: 'DELETE',
    path: '/api/projects/:id',
    access: 'analyst',
    summary: 'Delete a project and its assets; threats and vulnerabilities stay',
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/projects/bulk',
    access: 'analyst',
    summary:
      'Delete these projects or all that match, with their assets, restorable for 30 days; above 500 as a job',
  },
  restore: {
    method: 'POST',
    path: '/api/projects/restore',
    access: 'analyst',
    summary: 'Bring deleted projects back as they were, with the assets that went with them',
  },
});
