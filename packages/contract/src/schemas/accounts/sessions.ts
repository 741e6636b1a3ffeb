import type { SchemaTable } from '../../endpoint.ts';
import { Deleted, Id, IdParams, Time } from '../common.ts';
import { Password } from './accounts.ts';
import { RevokeTokens } from './passwords.ts';
import { z } from 'zod';

export const Session = z
  .object({
    _id: Id,
    current: z.boolean().describe('The session of this request.'),
    organization: z.string(),
    userAgent: z.string().describe('User agent as the browser sent it; untrusted text.'),
    address: z.string(),
    createdAt: Time,
    lastUsedAt: Time,
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const sessionSchemas = {
  list: {
    summary: 'Your sessions, last used first',
    reply: { 200: z.object({ sessions: z.array(Session) }) },
  },
  end: {
    summary: 'End one of your sessions',
    params: IdParams,
    body: z.object({ password: Password }),
    reply: { 200: Deleted },
  },
  endAll: {
    summary: 'Log out everywhere: all your sessions end, including this one',
    body: z.object({ password: Password, revokeTokens: RevokeTokens }),
    reply: { 200: z.object({ success: z.literal(true), ended: z.int(), tokensRevoked: z.int() }) },
  },
} satisfies SchemaTable;
