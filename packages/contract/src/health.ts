import { endpoints } from './endpoint.ts';
import type { healthSchemas } from './schemas/health.ts';

export const health = endpoints<typeof healthSchemas>()({
  live: {
    method: 'GET',
    path: '/api/health/live',
    access: 'public',
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    access: 'public',
  },
});
