import type { SchemaTable } from '../../endpoint.ts';
import { Accepted, Id, Time } from '../common.ts';
import { Password, Success } from './accounts.ts';
import { z } from 'zod';

export const Organization = z
  .object({
    _id: Id,
    name: z.string(),
    createdAt: Time,
    members: z.int(),
    requireSecondFactor: z.boolean(),
    /** Since when it is being deleted; then nothing can be written any more. */
    deletingSince: Time.nullable(),
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

export const organizationSchemas = {
  get: { summary: 'Your organization', reply: { 200: Organization } },
  update: {
    summary: 'Rename the organization, or require a second factor of its members',
    body: z.object({
      name: z.string().trim().max(200).optional(),
      requireSecondFactor: z.boolean().optional(),
    }),
    reply: { 200: Organization },
  },
  transferOwnership: {
    summary: 'Make another member the owner; you become an analyst',
    body: z.object({ accountId: Id, password: Password }),
    reply: { 200: Success },
  },
  leave: {
    summary: 'Leave the organization; an account that belongs to none any more goes too',
    body: z.object({ password: Password }),
    reply: { 200: Success },
  },
  delete: {
    summary: 'Delete the organization and everything in it, as a job; the name must be typed',
    body: z.object({
      /** The name as it is, or 'Organization not set' where it has none. */
      name: z.string().max(200),
      password: Password,
    }),
    reply: { 202: Accepted },
  },
} satisfies SchemaTable;
