import { endpoints } from '../endpoint.ts';
import type { emailChangeSchemas } from '../schemas/accounts/email-change.ts';

export const emailChange = endpoints<typeof emailChangeSchemas>()({
  get: {
    method: 'GET',
    path: '/api/auth/email',
    access: 'self',
    sessionOnly: true,
  },
  verify: {
    method: 'POST',
    path: '/api/auth/email/verify',
    access: 'self',
    sessionOnly: true,
    perMinute: 20,
  },
  ask: {
    method: 'POST',
    path: '/api/auth/email',
    access: 'self',
    sessionOnly: true,
    perMinute: 20,
  },
  confirm: {
    method: 'POST',
    path: '/api/auth/email/confirm',
    access: 'public',
    perMinute: 20,
  },
});
