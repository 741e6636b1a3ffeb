import { endpoints } from './endpoint.ts';
import type { cweSchemas } from './schemas/cwe.ts';

export const cwe = endpoints<typeof cweSchemas>()({
  get: {
    method: 'GET',
    path: '/api/cwe/:id',
    access: 'viewer',
  },
});
