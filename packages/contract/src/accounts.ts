import { z } from 'zod';
import { endpoints, roles } from './endpoint.ts';
import { Id } from './common.ts';

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
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

const UserReply = z.object({ user: User });
const Email = z.email('Enter a valid email address.').max(254);
/** At most 1,024 bytes, so that hashing stays cheap; at least 12 characters (contract, Accounts). */
const NewPassword = z.string().min(12, 'Use at least 12 characters.').max(256, 'Use at most 256 characters.');

export const accounts = endpoints({
  signup: {
    method: 'POST',
    path: '/api/auth/signup',
    access: 'public',
    summary: 'Create an account and its organisation, and sign in',
    perMinute: 20,
    body: z.object({
      email: Email,
      password: NewPassword,
      firstName: z.string().trim().min(1, 'Enter your first name.').max(100),
      lastName: z.string().trim().max(100).default(''),
      organization: z.string().trim().max(200).default(''),
    }),
    reply: { 201: UserReply },
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary: 'Sign in with email and password',
    body: z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(1024) }),
    reply: { 200: UserReply },
  },
  refresh: {
    method: 'POST',
    path: '/api/auth/refresh',
    access: 'public',
    summary: 'Exchange the refresh cookie for a new session cookie',
    reply: { 200: UserReply },
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    summary: 'End this session',
    reply: { 200: z.object({ success: z.literal(true) }) },
  },
  me: {
    method: 'GET',
    path: '/api/auth/me',
    access: 'viewer',
    summary: 'Who is signed in',
    reply: { 200: UserReply },
  },
});
