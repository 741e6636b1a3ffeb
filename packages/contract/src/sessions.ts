import { z } from 'zod';
import { Password } from './accounts.ts';
import { Deleted, Id, IdParams, Time } from './common.ts';
import { endpoints } from './endpoint.ts';

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

export const sessions = endpoints({
  list: {
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'self',
    sessionOnly: true,
    summary: 'Where you are signed in, last used first',
    reply: { 200: z.object({ sessions: z.array(Session) }) },
  },
  end: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'self',
    sessionOnly: true,
    summary: 'End one of your sessions',
    perMinute: 20,
    params: IdParams,
    body: z.object({ password: Password }),
    reply: { 200: Deleted },
  },
  endAll: {
    method: 'POST',
    path: '/api/auth/logout-everywhere',
    access: 'self',
    sessionOnly: true,
    summary: 'Log out everywhere: every session of yours ends, this one too',
    perMinute: 20,
    body: z.object({ password: Password }),
    reply: { 200: z.object({ success: z.literal(true), ended: z.int() }) },
  },
});
