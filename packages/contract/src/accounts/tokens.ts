import { endpoints } from '../endpoint.ts';
import type { tokenSchemas } from '../schemas/accounts/tokens.ts';

/** Live tokens of one person, in all organizations together. */
export const tokensPerPerson = 20;

/** Days that a token may live. */
export const tokenDays = { least: 1, most: 365, standard: 90 } as const;

export const tokens = endpoints<typeof tokenSchemas>()({
  list: {
    method: 'GET',
    path: '/api/auth/tokens',
    access: 'self',
    sessionOnly: true,
  },
  create: {
    method: 'POST',
    path: '/api/auth/tokens',
    access: 'analyst',
    sessionOnly: true,
    perMinute: 60,
  },
  revoke: {
    method: 'DELETE',
    path: '/api/auth/tokens/:id',
    access: 'self',
    sessionOnly: true,
  },
});
