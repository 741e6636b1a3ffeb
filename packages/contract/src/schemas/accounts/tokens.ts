import { tokenDays } from '../../accounts/tokens.ts';
import { roles } from '../../endpoint.ts';
import type { SchemaTable } from '../../endpoint.ts';
import { Deleted, Id, IdParams, Name, Time } from '../common.ts';
import { Password } from './accounts.ts';
import { z } from 'zod';

export const ApiToken = z
  .object({
    _id: Id,
    name: z.string(),
    role: z.enum(roles),
    hint: z.string().describe('The last characters, to distinguish tokens.'),
    createdAt: Time,
    expiresAt: Time,
    lastUsedAt: Time.nullable(),
    expired: z.boolean(),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof ApiToken>;

export const tokenSchemas = {
  list: {
    summary: 'Your API tokens in this organization',
    reply: { 200: z.object({ tokens: z.array(ApiToken) }) },
  },
  create: {
    summary:
      'Create an API token; it is shown once and never has more rights than its owner; at most 20 a person',
    body: z.object({
      name: Name.max(100),
      role: z.enum(roles).default('viewer'),
      password: Password,
      expiresInDays: z.int().min(tokenDays.least).max(tokenDays.most).default(tokenDays.standard),
      /** Refused, not ignored: a script that sends it would get a token of the standard lifetime. */
      expiresAt: z
        .never('Use expiresInDays, the number of days until the token expires.')
        .optional()
        .describe('Refused: use `expiresInDays`.'),
    }),
    reply: { 201: ApiToken.extend({ token: z.string() }) },
  },
  revoke: { summary: 'Revoke an API token', params: IdParams, reply: { 200: Deleted } },
} satisfies SchemaTable;
