import { endpoints } from '../endpoint.ts';
import type { emailChangeSchemas } from '../schemas/accounts/email-change.ts';

export const emailChange = endpoints<typeof emailChangeSchemas>()({
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
