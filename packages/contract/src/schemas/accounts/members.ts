import { roles } from '../../endpoint.ts';
import type { SchemaTable } from '../../endpoint.ts';
import { Deleted, Id, IdParams, Time } from '../common.ts';
import { Email, Identity, OptionalIdentity, Password } from './accounts.ts';
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
    self: z.boolean().describe('The caller.'),
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
const Invited = Invitation.extend({
  link: z.string(),
  /**
   * Why no email was sent; null when one was. 'many-invitations': the address has had several in the last minutes, also from
   * other organizations.
   */
  notMailed: z.enum(['no-mail-server', 'many-invitations']).nullable(),
});

/** The caller's password; required to give owner rights. */
const OwnerPassword = Password.optional();

const Invite = z.object({
  email: Email,
  role: z.enum(roles).default('analyst'),
  password: OwnerPassword,
});

export const memberSchemas = {
  list: {
    summary: 'The members of the organization',
    reply: { 200: z.object({ members: z.array(Member), total: z.int() }) },
  },
  add: {
    summary: 'Invite a person; the same as creating an invitation, because membership requires acceptance',
    body: Invite,
    reply: { 201: Invited },
  },
  setRole: {
    summary:
      "Change a member's role; giving or taking owner rights needs the password; the last owner cannot be changed",
    params: IdParams,
    body: OptionalIdentity.extend({ role: z.enum(roles) }),
    reply: { 200: Member },
  },
  resetSecondFactor: {
    summary: 'Remove the second factor of a member who lost it and belongs to no other organization',
    params: IdParams,
    body: Identity,
    reply: { 200: Member },
  },
  endSessions: {
    summary: "End a member's sessions and API tokens in this organization; they can log in again",
    params: IdParams,
    body: Identity,
    reply: { 200: z.object({ success: z.literal(true), ended: z.int(), tokensRevoked: z.int() }) },
  },
  remove: {
    summary:
      'Remove a member; their sessions and tokens in this organization end immediately; an owner needs the password',
    params: IdParams,
    body: OptionalIdentity,
    reply: { 200: Deleted },
  },
} satisfies SchemaTable;

export const invitationSchemas = {
  list: {
    summary: 'Open invitations',
    reply: { 200: z.object({ invitations: z.array(Invitation), total: z.int() }) },
  },
  create: {
    summary:
      'Invite a person by mail and link, valid for 7 days; replaces an open invitation; an owner needs the password',
    body: Invite,
    reply: { 201: Invited },
  },
  withdraw: { summary: 'Withdraw an invitation', params: IdParams, reply: { 200: Deleted } },
  read: {
    summary: 'Details of an invitation, for the holder of its link',
    body: z.object({ token: z.string().min(1).max(200) }),
    reply: {
      200: z.object({
        organization: z.string(),
        role: z.enum(roles),
        email: z.string(),
        invitedBy: z.string(),
        /**
         * The address has an account: it joins by signing in. Null for a link that was not mailed: its holder may be the
         * person who invited, and does not learn it.
         */
        known: z.boolean().nullable(),
        claimable: z
          .boolean()
          .describe(
            'That account never confirmed the address: signing up with this mailed link takes the address from it.',
          ),
      }),
    },
  },
  accept: {
    summary: 'Accept an invitation to your own address: this session ends and a new one starts there',
    body: z.object({ token: z.string().min(1).max(200) }),
    reply: { 200: z.object({ success: z.literal(true) }) },
  },
} satisfies SchemaTable;
