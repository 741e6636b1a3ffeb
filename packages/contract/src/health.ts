import { endpoints } from './endpoint.ts';
import type { healthSchemas } from './schemas/health.ts';

export const health = endpoints<typeof healthSchemas>()({
  live: {
    method: 'GET',
    path: '/api/health/live',
    access: 'public',
    summary: 'The process answers',
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    access: 'public',
    summary: 'Database, queue and at least one worker answer; else 503 naming the failing part',
  },
});
