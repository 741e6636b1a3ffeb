import type { SchemaTable } from '../../endpoint.ts';
import { Email, LinkToken, NewPassword, Password, Success } from './accounts.ts';
import { z } from 'zod';

/** Whoever asks hears the same, whether the address has an account or not. */
const Message = z.object({ message: z.string() });

export const passwordSchemas = {
  forgot: {
    body: z.object({ email: Email }),
    reply: { 202: Message },
  },
  reset: {
    body: z.object({ token: LinkToken, password: NewPassword }),
    reply: { 202: Message },
  },
  change: {
    body: z.object({ current: Password, password: NewPassword }),
    reply: { 200: Success },
  },
} satisfies SchemaTable;
