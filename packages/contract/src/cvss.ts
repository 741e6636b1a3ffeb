import { endpoints } from './endpoint.ts';
import type { cvssSchemas } from './schemas/cvss.ts';

export const cvss = endpoints<typeof cvssSchemas>()({
  score: {
    method: 'POST',
    path: '/api/cvss/score',
    // A call concerns only the caller's own vector.
    access: 'self',
    readOnly: true,
  },
});
