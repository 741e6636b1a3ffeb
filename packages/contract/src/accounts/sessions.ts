import { endpoints } from '../endpoint.ts';
import type { sessionSchemas } from '../schemas/accounts/sessions.ts';

export const sessions = endpoints<typeof sessionSchemas>()({
  list: {
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'self',
    sessionOnly: true,
    summary: 'Where you are signed in, last used first',
  },
  end: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'self',
    sessionOnly: true,
    summary: 'End one of your sessions',
    perMinute: 20,
  },
  endAll: {
    method: 'POST',
    path: '/api/auth/logout-everywhere',
    access: 'self',
    sessionOnly: true,
    summary: 'Log out everywhere: every session of yours ends, this one too',
    perMinute: 20,
  },
});
