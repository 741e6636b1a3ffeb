import { endpoints } from './endpoint.ts';
import type { cweSchemas } from './schemas/cwe.ts';

export const cwe = endpoints<typeof cweSchemas>()({
  get: {
    method: 'GET',
    path: '/api/cwe/:id',
    access: 'viewer',
    summary: 'A weakness by its id: 79, CWE-79 or cwe79',
  },
});
