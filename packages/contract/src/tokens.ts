import { z } from 'zod';
import { Deleted, Id, IdParams, Time } from './common.ts';
import { endpoints, roles } from './endpoint.ts';

export const ApiToken = z
  .object({
    _id: Id,
    name: z.string(),
    role: z.enum(roles),
    /** The last characters, to tell one from another. */
    hint: z.string(),
    createdAt: Time,
    expiresAt: Time,
    lastUsedAt: Time.nullable(),
    expired: z.boolean(),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof ApiToken>;

/** Days that a token may live. */
export const tokenDays = { least: 1, most: 365, standard: 90 } as const;

export const tokens = endpoints({
  list: {
    method: 'GET',
    path: '/api/auth/tokens',
    access: 'self',
    sessionOnly: true,
    summary: 'Your API tokens in this organization',
    reply: { 200: z.object({ tokens: z.array(ApiToken) }) },
  },
  create: {
    method: 'POST',
    path: '/api/auth/tokens',
    access: 'analyst',
    sessionOnly: true,
    summary: 'Make an API token; it is shown once. It never may more than its person',
    body: z.object({
      name: z.string().trim().min(1, 'Enter a name.').max(100),
      role: z.enum(roles).default('viewer'),
      expiresInDays: z.int().min(tokenDays.least).max(tokenDays.most).default(tokenDays.standard),
    }),
    reply: { 201: ApiToken.extend({ token: z.string() }) },
  },
  revoke: {
    method: 'DELETE',
    path: '/api/auth/tokens/:id',
    access: 'self',
    sessionOnly: true,
    summary: 'Revoke an API token',
    params: IdParams,
    reply: { 200: Deleted },
  },
});
