import { endpoints } from '../endpoint.ts';
import type { passwordSchemas } from '../schemas/accounts/passwords.ts';

export const passwords = endpoints<typeof passwordSchemas>()({
  forgot: {
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    summary: 'Send a link to set a new password; the answer is the same for every address',
    perMinute: 10,
  },
  reset: {
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'public',
    summary: 'Set a new password by a mailed link: valid once, for 10 minutes; every session ends',
    perMinute: 20,
  },
  change: {
    method: 'POST',
    path: '/api/auth/password',
    access: 'self',
    sessionOnly: true,
    summary: 'Change your password; every other session of yours ends',
    perMinute: 20,
  },
});
