import { z } from 'zod';
import { Email, LinkToken, Password } from './accounts.ts';
import { endpoints } from './endpoint.ts';

/** The same for every address, whether it has an account or not: only a mail tells. */
const Message = z.object({ message: z.string() });

export const emailChange = endpoints({
  ask: {
    method: 'POST',
    path: '/api/auth/email',
    access: 'self',
    sessionOnly: true,
    summary:
      'Ask for another email address: a link is mailed to it; the answer is the same for every address',
    perMinute: 20,
    body: z.object({ email: Email, password: Password }),
    reply: { 202: Message },
  },
  confirm: {
    method: 'POST',
    path: '/api/auth/email/confirm',
    access: 'public',
    summary: 'Change the email address of an account by a mailed link: valid once, for 60 minutes',
    perMinute: 20,
    body: z.object({ token: LinkToken }),
    reply: { 200: Message },
  },
});
