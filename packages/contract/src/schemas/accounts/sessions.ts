import type { SchemaTable } from '../../endpoint.ts';
import { Deleted, Id, IdParams, Time } from '../common.ts';
import { Password } from './accounts.ts';
import { z } from 'zod';

export const Session = z
  .object({
    _id: Id,
    /** The one that asks. */
    current: z.boolean(),
    organization: z.string(),
    /** As the browser named itself; a stranger's text. */
    userAgent: z.string(),
    address: z.string(),
    createdAt: Time,
    lastUsedAt: Time,
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const sessionSchemas = {
  list: {
    summary: 'Where you are signed in, last used first',
    reply: { 200: z.object({ sessions: z.array(Session) }) },
  },
  end: {
    summary: 'End one of your sessions',
    params: IdParams,
    body: z.object({ password: Password }),
    reply: { 200: Deleted },
  },
  endAll: {
    summary: 'Log out everywhere: every session of yours ends, this one too',
    body: z.object({ password: Password }),
    reply: { 200: z.object({ success: z.literal(true), ended: z.int() }) },
  },
} satisfies SchemaTable;
