import { roles } from '../../endpoint.ts';
import type { SchemaTable } from '../../endpoint.ts';
import { Id } from '../common.ts';
import { z } from 'zod';

export const User = z
  .object({
    _id: Id,
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    /** Empty: shown as 'Organization not set'. */
    organization: z.string(),
    organizationId: Id,
    role: z.enum(roles),
    /** Signs in with a second factor. */
    secondFactor: z.boolean(),
    /** The organisation requires one: without it only what is the person's own can be called. */
    secondFactorRequired: z.boolean(),
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

/** The password that a person has already: whatever it was when it was set. */
export const Password = z.string().min(1, 'Enter your password.').max(1024);

/** A secret that came by mail or as a link. */
export const LinkToken = z.string().min(1).max(200);

const FirstName = z.string().trim().min(1, 'Enter your first name.').max(100);

const LastName = z.string().trim().max(100);

export const accountSchemas = {
  signup: {
    summary: 'Create an account and its organization, or join the one of an invitation, and sign in',
    body: z.object({
      email: Email,
      password: NewPassword,
      firstName: FirstName,
      lastName: LastName.default(''),
      organization: z.string().trim().max(200).default(''),
      invitation: LinkToken.optional(),
    }),
    reply: { 201: UserReply },
  },
  login: {
    summary: 'Sign in with email and password, and the code of the second factor where there is one',
    body: z.object({
      email: z.string().min(1).max(254),
      password: z.string().min(1).max(1024),
      /** Six digits of the authenticator app, or a recovery code. */
      code: z.string().max(40).optional(),
      /** Joins the organisation of an invitation with the account that exists. */
      invitation: LinkToken.optional(),
    }),
    reply: { 200: UserReply },
  },
  refresh: { summary: 'Exchange the refresh cookie for a new session cookie', reply: { 200: UserReply } },
  logout: { summary: 'End this session', reply: { 200: Success } },
  me: { summary: 'Who is signed in', reply: { 200: UserReply } },
  updateMe: {
    summary: 'Change your own name',
    body: z.object({ firstName: FirstName.optional(), lastName: LastName.optional() }),
    reply: { 200: UserReply },
  },
  memberships: {
    summary: 'The organizations that you belong to',
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
    summary: 'Go on in another of your organizations: a new session there, this one ends',
    body: z.object({ organizationId: Id }),
    reply: { 200: UserReply },
  },
} satisfies SchemaTable;
