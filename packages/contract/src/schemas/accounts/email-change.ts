import type { SchemaTable } from '../../endpoint.ts';
import { Email, LinkToken, Password } from './accounts.ts';
import { z } from 'zod';

/** The same for every address, whether it has an account or not: only a mail tells. */
const Message = z.object({ message: z.string() });

export const emailChangeSchemas = {
  ask: {
    body: z.object({ email: Email, password: Password }),
    reply: { 202: Message },
  },
  confirm: {
    body: z.object({ token: LinkToken }),
    reply: { 200: Message },
  },
} satisfies SchemaTable;
