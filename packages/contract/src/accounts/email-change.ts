import { endpoints } from '../endpoint.ts';
import type { emailChangeSchemas } from '../schemas/accounts/email-change.ts';

export const emailChange = endpoints<typeof emailChangeSchemas>()({
  ask: {
    method: 'POST',
    path: '/api/auth/email',
    access: 'self',
    sessionOnly: true,
    summary:
      'Ask for another email address: a link is mailed to it; the answer is the same for every address',
    perMinute: 20,
  },
  confirm: {
    method: 'POST',
    path: '/api/auth/email/confirm',
    access: 'public',
    summary: 'Change the email address of an account by a mailed link: valid once, for 60 minutes',
    perMinute: 20,
  },
});
