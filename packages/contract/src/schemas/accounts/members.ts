import { roles } from '../../endpoint.ts';
import type { SchemaTable } from '../../endpoint.ts';
import { Deleted, Id, IdParams, Time } from '../common.ts';
import { Email } from './accounts.ts';
import { z } from 'zod';

export const Member = z
  .object({
    /** The person's account. */
    _id: Id,
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    role: z.enum(roles),
    secondFactor: z.boolean(),
    joinedAt: Time,
    lastSeenAt: Time.nullable(),
    /** The one that asks. */
    self: z.boolean(),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

export const Invitation = z
  .object({
    _id: Id,
    email: z.string(),
    role: z.enum(roles),
    createdAt: Time,
    expiresAt: Time,
    expired: z.boolean(),
    invitedBy: z.string(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

/** The link is shown once; the mail carries one of its own. */
const Invited = Invitation.extend({ link: z.string() });

const Invite = z.object({ email: Email, role: z.enum(roles).default('analyst') });

export const memberSchemas = {
  list: {
    summary: 'The members of the organization',
    reply: { 200: z.object({ members: z.array(Member), total: z.int() }) },
  },
  add: {
    summary: 'Invite somebody: the same as making an invitation, for nobody becomes a member unasked',
    body: Invite,
    reply: { 201: Invited },
  },
  setRole: {
    summary: "Change a member's role; the last owner stays one",
    params: IdParams,
    body: z.object({ role: z.enum(roles) }),
    reply: { 200: Member },
  },
  resetSecondFactor: {
    summary: 'Take the second factor from a member who lost it, if they belong to no other organization',
    params: IdParams,
    reply: { 200: Member },
  },
  remove: {
    summary: 'Remove a member: their sessions and tokens here end at once',
    params: IdParams,
    reply: { 200: Deleted },
  },
} satisfies SchemaTable;

export const invitationSchemas = {
  list: {
    summary: 'Open invitations',
    reply: { 200: z.object({ invitations: z.array(Invitation), total: z.int() }) },
  },
  create: {
    summary: 'Invite somebody by mail and link, for 7 days; an invitation that is open is made anew',
    body: Invite,
    reply: { 201: Invited },
  },
  withdraw: { summary: 'Withdraw an invitation', params: IdParams, reply: { 200: Deleted } },
  read: {
    summary: 'What an invitation is for, to whoever holds its link',
    body: z.object({ token: z.string().min(1).max(200) }),
    reply: {
      200: z.object({
        organization: z.string(),
        role: z.enum(roles),
        email: z.string(),
        invitedBy: z.string(),
        /** The address has an account: it joins by signing in. */
        known: z.boolean(),
      }),
    },
  },
  accept: {
    summary: 'Join the organization of an invitation to your own address; a new session there, this one ends',
    body: z.object({ token: z.string().min(1).max(200) }),
    reply: { 200: z.object({ success: z.literal(true) }) },
  },
} satisfies SchemaTable;
