import type { SchemaTable } from '../../endpoint.ts';
import { Email, LinkToken, NewPassword, Password, SecondFactorCode, Success } from './accounts.ts';
import { z } from 'zod';

/** The same for every address, so that it does not reveal whether an account exists. */
const Message = z.object({ message: z.string() });

/** Revokes the person's API tokens in every organization too. */
export const RevokeTokens = z.boolean().default(true);

export const passwordSchemas = {
  forgot: {
    summary: 'Send a password reset link; the reply is the same for every address',
    body: z.object({ email: Email }),
    reply: { 202: Message },
  },
  reset: {
    summary: 'Set a new password with a mailed link, valid once for 10 minutes; all sessions end',
    body: z.object({ token: LinkToken, password: NewPassword, revokeTokens: RevokeTokens }),
    reply: { 202: Message },
  },
  change: {
    summary: 'Change your password; a new session replaces this one, and your other sessions end',
    body: z.object({
      current: Password,
      code: SecondFactorCode,
      password: NewPassword,
      revokeTokens: RevokeTokens,
    }),
    reply: { 200: Success },
  },
} satisfies SchemaTable;
