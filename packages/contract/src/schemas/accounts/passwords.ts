import type { SchemaTable } from '../../endpoint.ts';
import { Email, LinkToken, NewPassword, Password, Success } from './accounts.ts';
import { z } from 'zod';

/** Whoever asks hears the same, whether the address has an account or not. */
const Message = z.object({ message: z.string() });

export const passwordSchemas = {
  forgot: {
    summary: 'Send a link to set a new password; the answer is the same for every address',
    body: z.object({ email: Email }),
    reply: { 202: Message },
  },
  reset: {
    summary: 'Set a new password by a mailed link: valid once, for 10 minutes; every session ends',
    body: z.object({ token: LinkToken, password: NewPassword }),
    reply: { 202: Message },
  },
  change: {
    summary: 'Change your password; every other session of yours ends',
    body: z.object({ current: Password, password: NewPassword }),
    reply: { 200: Success },
  },
} satisfies SchemaTable;
