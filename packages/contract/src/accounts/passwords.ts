import { endpoints } from '../endpoint.ts';
import type { passwordSchemas } from '../schemas/accounts/passwords.ts';

export const passwords = endpoints<typeof passwordSchemas>()({
  forgot: {
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    perMinute: 10,
  },
  reset: {
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'public',
    perMinute: 20,
  },
  change: {
    method: 'POST',
    path: '/api/auth/password',
    access: 'self',
    sessionOnly: true,
    replacesSession: true,
    perMinute: 20,
  },
});
