import type { SchemaTable } from '../../endpoint.ts';
import { Email, Identity, LinkToken } from './accounts.ts';
import { z } from 'zod';

/** The same for every address, so that it does not reveal whether an account exists. */
const Message = z.object({ message: z.string() });

export const emailChangeSchemas = {
  ask: {
    summary:
      'Ask for another email address: a link is mailed to it; the answer is the same for every address',
    body: Identity.extend({ email: Email }),
    reply: { 202: Message },
  },
  confirm: {
    summary: 'Confirm a new email address with a mailed link, valid once for 60 minutes',
    body: z.object({ token: LinkToken }),
    reply: { 200: Message },
  },
} satisfies SchemaTable;
