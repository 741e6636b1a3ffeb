import { z } from 'zod';
import { Email, LinkToken, NewPassword, Password, Success } from './accounts.ts';
import { endpoints } from './endpoint.ts';

/** Whoever asks hears the same, whether the address has an account or not. */
const Message = z.object({ message: z.string() });

export const passwords = endpoints({
  forgot: {
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    summary: 'Send a link to set a new password; the answer is the same for every address',
    perMinute: 10,
    body: z.object({ email: Email }),
    reply: { 202: Message },
  },
  reset: {
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'public',
    summary: 'Set a new password by a mailed link: valid once, for 10 minutes; every session ends',
    perMinute: 20,
    body: z.object({ token: LinkToken, password: NewPassword }),
    reply: { 202: Message },
  },
  change: {
    method: 'POST',
    path: '/api/auth/password',
    access: 'self',
    sessionOnly: true,
    summary: 'Change your password; every other session of yours ends',
    perMinute: 20,
    body: z.object({ current: Password, password: NewPassword }),
    reply: { 200: Success },
  },
});
