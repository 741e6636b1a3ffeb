import type { SchemaTable } from '../../endpoint.ts';
import { Email, LinkToken, Password } from './accounts.ts';
import { z } from 'zod';

/** The same for every address, whether it has an account or not: only a mail tells. */
const Message = z.object({ message: z.string() });

export const emailChangeSchemas = {
  ask: {
    summary:
      'Ask for another email address: a link is mailed to it; the answer is the same for every address',
    body: z.object({ email: Email, password: Password }),
    reply: { 202: Message },
  },
  confirm: {
    summary: 'Change the email address of an account by a mailed link: valid once, for 60 minutes',
    body: z.object({ token: LinkToken }),
    reply: { 200: Message },
  },
} satisfies SchemaTable;
