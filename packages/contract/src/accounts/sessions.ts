import { endpoints } from '../endpoint.ts';
import type { sessionSchemas } from '../schemas/accounts/sessions.ts';

export const sessions = endpoints<typeof sessionSchemas>()({
  list: {
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'self',
    sessionOnly: true,
  },
  end: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'self',
    sessionOnly: true,
    perMinute: 20,
  },
  endAll: {
    method: 'POST',
    path: '/api/auth/logout-everywhere',
    access: 'self',
    sessionOnly: true,
    perMinute: 20,
  },
});

/** Name of the meta element that a page gets with the content `none` when its browser sent no session cookie. */
export const sessionMeta = 'riskboard-session';
