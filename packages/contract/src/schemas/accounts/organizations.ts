import type { SchemaTable } from '../../endpoint.ts';
import { Accepted, Id, OptionalName, Time } from '../common.ts';
import { OptionalIdentity, Password, Success } from './accounts.ts';
import { z } from 'zod';

export const Organization = z
  .object({
    _id: Id,
    name: z.string(),
    createdAt: Time,
    members: z.int(),
    requireSecondFactor: z.boolean(),
    autoRecalculateCwss: z.boolean().describe('Stale CWSS scores are recalculated by a job.'),
    deletingSince: Time.nullable().describe('Start of its deletion; from then on writes are refused.'),
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

export const organizationSchemas = {
  get: { summary: 'Your organization', reply: { 200: Organization } },
  update: {
    summary:
      'Rename the organization, require a second factor of its members (no longer requiring it needs the password), or recalculate stale CWSS scores',
    body: OptionalIdentity.extend({
      name: OptionalName.max(200).optional(),
      requireSecondFactor: z.boolean().optional(),
      autoRecalculateCwss: z.boolean().optional(),
    }),
    reply: { 200: Organization },
  },
  transferOwnership: {
    summary: 'Transfer ownership to another member; you become an analyst',
    body: z.object({ accountId: Id, password: Password }),
    reply: { 200: Success },
  },
  leave: {
    summary: 'Leave the organization; an account without an organization is deleted',
    body: z.object({ password: Password }),
    reply: { 200: Success },
  },
  delete: {
    summary: 'Delete the organization and everything in it, as a job; the name must be typed',
    body: z.object({
      name: z.string().max(200).describe("The name as it is, or 'Organization not set' where it has none."),
      password: Password,
    }),
    reply: { 202: Accepted },
  },
} satisfies SchemaTable;
