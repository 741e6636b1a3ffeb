import { endpoints } from './endpoint.ts';
import type { viewSchemas } from './schemas/views.ts';

/** Pages of the lists whose views can be saved; lists inside a record have no views. */
export const listRoutes = [
  '/dashboard/activity',
  '/dashboard/alerts',
  '/dashboard/assets',
  '/dashboard/jobs',
  '/dashboard/projects',
  '/dashboard/reports',
  '/dashboard/reports/threats',
  '/dashboard/reports/vignettes',
  '/dashboard/reports/vulnerabilities',
  '/dashboard/threats',
  '/dashboard/vulnerabilities',
  '/dashboard/weaknesses',
] as const;

export type ListRoute = (typeof listRoutes)[number];

export const views = endpoints<typeof viewSchemas>()({
  list: {
    method: 'GET',
    path: '/api/views',
    access: 'viewer',
  },
  create: {
    method: 'POST',
    path: '/api/views',
    access: 'self',
  },
  update: {
    method: 'PUT',
    path: '/api/views/:id',
    access: 'self',
  },
  delete: {
    method: 'DELETE',
    path: '/api/views/:id',
    access: 'self',
  },
});
