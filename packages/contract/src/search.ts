import { endpoints } from './endpoint.ts';
import type { searchSchemas } from './schemas/search.ts';

export const searchNouns = ['vulnerabilities', 'threats', 'assets', 'projects', 'reports'] as const;

export const search = endpoints<typeof searchSchemas>()({
  everywhere: {
    method: 'GET',
    path: '/api/search',
    access: 'viewer',
  },
});
