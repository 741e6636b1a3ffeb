import type { SchemaTable } from '../../endpoint.ts';
import { Email, Identity, LinkToken } from './accounts.ts';
import { z } from 'zod';

/** The same for every address, so that it does not reveal whether an account exists. */
const Message = z.object({ message: z.string() });

export const emailChangeSchemas = {
  get: {
    summary: 'Your email address, and whether it is confirmed',
    reply: {
      200: z.object({
        email: z.string(),
        verified: z.boolean(),
        verificationRequired: z
          .boolean()
          .describe('A second factor needs a confirmed address. False without a mail server.'),
      }),
    },
  },
  verify: {
    summary: 'Send another link that confirms your current email address, valid once for 24 hours',
    reply: { 202: Message },
  },
  ask: {
    summary:
      'Request a change of your email address: a link is mailed to the new one; the reply is the same for every address',
    body: Identity.extend({ email: Email }),
    reply: { 202: Message },
  },
  confirm: {
    summary: 'Confirm your email address, or a new one, with a mailed link that is valid once',
    body: z.object({ token: LinkToken }),
    reply: { 200: Message },
  },
} satisfies SchemaTable;
