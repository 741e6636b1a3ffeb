import { z } from 'zod';
import { Email } from './accounts.ts';
import { Deleted, Id, IdParams, Time } from './common.ts';
import { endpoints, roles } from './endpoint.ts';

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

export const members = endpoints({
  list: {
    method: 'GET',
    path: '/api/organization/members',
    access: 'owner',
    summary: 'The members of the organization',
    reply: { 200: z.object({ members: z.array(Member), total: z.int() }) },
  },
  add: {
    method: 'POST',
    path: '/api/organization/members',
    access: 'owner',
    summary: 'Invite somebody: the same as making an invitation, for nobody becomes a member unasked',
    perMinute: 60,
    body: Invite,
    reply: { 201: Invited },
  },
  setRole: {
    method: 'PUT',
    path: '/api/organization/members/:id',
    access: 'owner',
    summary: "Change a member's role; the last owner stays one",
    params: IdParams,
    body: z.object({ role: z.enum(roles) }),
    reply: { 200: Member },
  },
  resetSecondFactor: {
    method: 'POST',
    path: '/api/organization/members/:id/reset-second-factor',
    access: 'owner',
    sessionOnly: true,
    summary: 'Take the second factor from a member who lost it, if they belong to no other organization',
    params: IdParams,
    reply: { 200: Member },
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/members/:id',
    access: 'owner',
    summary: 'Remove a member: their sessions and tokens here end at once',
    params: IdParams,
    reply: { 200: Deleted },
  },
});

export const invitations = endpoints({
  list: {
    method: 'GET',
    path: '/api/organization/invitations',
    access: 'owner',
    summary: 'Open invitations',
    reply: { 200: z.object({ invitations: z.array(Invitation), total: z.int() }) },
  },
  create: {
    method: 'POST',
    path: '/api/organization/invitations',
    access: 'owner',
    summary: 'Invite somebody by mail and link, for 7 days; an invitation that is open is made anew',
    perMinute: 60,
    body: Invite,
    reply: { 201: Invited },
  },
  withdraw: {
    method: 'DELETE',
    path: '/api/organization/invitations/:id',
    access: 'owner',
    summary: 'Withdraw an invitation',
    params: IdParams,
    reply: { 200: Deleted },
  },
  read: {
    method: 'POST',
    path: '/api/auth/invitation',
    access: 'public',
    summary: 'What an invitation is for, to whoever holds its link',
    perMinute: 60,
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
    method: 'POST',
    path: '/api/auth/invitation/accept',
    access: 'self',
    sessionOnly: true,
    summary: 'Join the organization of an invitation to your own address; a new session there, this one ends',
    body: z.object({ token: z.string().min(1).max(200) }),
    reply: { 200: z.object({ success: z.literal(true) }) },
  },
});
