import { endpoints } from './endpoint.ts';
import type { cwssSchemas } from './schemas/cwss.ts';

export const cwss = endpoints<typeof cwssSchemas>()({
  score: {
    method: 'POST',
    path: '/api/cwss/score',
    // Reads and stores nothing: a call concerns only the caller's own vector.
    access: 'self',
  },
});
