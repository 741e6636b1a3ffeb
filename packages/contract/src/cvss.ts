import { endpoints } from './endpoint.ts';
import type { cvssSchemas } from './schemas/cvss.ts';

export const cvss = endpoints<typeof cvssSchemas>()({
  score: {
    method: 'POST',
    path: '/api/cvss/score',
    // Nothing is stored and nothing is read: no more than the caller's own vector is at stake.
    access: 'self',
  },
});
