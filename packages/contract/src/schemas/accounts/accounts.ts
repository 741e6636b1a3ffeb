import { roles } from '../../endpoint.ts';
import type { SchemaTable } from '../../endpoint.ts';
import { Id, OptionalName, requiredName } from '../common.ts';
import { z } from 'zod';

export const User = z
  .object({
    _id: Id,
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    organization: z.string().describe("Empty: shown as 'Organization not set'."),
    organizationId: Id,
    role: z.enum(roles),
    secondFactor: z.boolean().describe('Signs in with a second factor.'),
    secondFactorRequired: z
      .boolean()
      .describe(
        'The organization requires one; without it a user can call only endpoints about their own account.',
      ),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

export const UserReply = z.object({ user: User });

export const Success = z.object({ success: z.literal(true) });

export const Email = z.email('Enter a valid email address.').max(254);

/** At most 1,024 bytes, so that hashing stays cheap; at least 12 characters (contract, Accounts). */
export const NewPassword = z
  .string()
  .min(12, 'Use at least 12 characters.')
  .max(256, 'Use at most 256 characters.');

/** An existing password. Any text is accepted, because other rules may have applied when it was set. */
export const Password = z.string().min(1, 'Enter your password.').max(1024);

/** Six digits of the authenticator app, or a recovery code; needed where a second factor is set up. */
export const SecondFactorCode = z.string().max(40).optional();

/** Confirms the identity of the caller before a change of what protects accounts. */
export const Identity = z.object({ password: Password, code: SecondFactorCode });

/** The same, for calls of which only some need it. */
export const OptionalIdentity = Identity.partial();

/** A secret that came by mail or as a link. */
export const LinkToken = z.string().min(1).max(200);

const FirstName = requiredName('Enter your first name.').max(100);

const LastName = OptionalName.max(100);

export const accountSchemas = {
  signup: {
    summary: 'Create an account with a new organization or an invitation, and log in',
    body: z.object({
      email: Email,
      password: NewPassword,
      firstName: FirstName,
      lastName: LastName.default(''),
      organization: OptionalName.max(200).default(''),
      invitation: LinkToken.optional(),
      /** Secret of a mailed link: takes the address from an account that never confirmed it. */
      claim: LinkToken.optional(),
    }),
    reply: { 201: UserReply },
  },
  login: {
    summary: 'Log in with email, password and, if set up, a second-factor code',
    body: z.object({
      email: z.string().min(1).max(254),
      password: z.string().min(1).max(1024),
      code: SecondFactorCode,
      /** Joins the organization of an invitation with the account that exists. */
      invitation: LinkToken.optional(),
    }),
    reply: { 200: UserReply },
  },
  refresh: { summary: 'Exchange the refresh cookie for a new session cookie', reply: { 200: UserReply } },
  logout: { summary: 'End this session', reply: { 200: Success } },
  me: { summary: 'The logged-in user', reply: { 200: UserReply } },
  updateMe: {
    summary: 'Change your own name',
    body: z.object({ firstName: FirstName.optional(), lastName: LastName.optional() }),
    reply: { 200: UserReply },
  },
  memberships: {
    summary: 'Your organizations',
    reply: {
      200: z.object({
        memberships: z.array(
          z.object({
            organizationId: Id,
            organization: z.string(),
            role: z.enum(roles),
            current: z.boolean(),
          }),
        ),
      }),
    },
  },
  switchOrganization: {
    summary: 'Switch to another of your organizations: this session ends and a new one starts there',
    body: z.object({ organizationId: Id }),
    reply: { 200: UserReply },
  },
} satisfies SchemaTable;
