import { endpoints } from '../endpoint.ts';
import type { accountSchemas } from '../schemas/accounts/accounts.ts';

export const accounts = endpoints<typeof accountSchemas>()({
  signup: {
    method: 'POST',
    path: '/api/auth/signup',
    access: 'public',
    summary: 'Create an account and its organization, or join the one of an invitation, and sign in',
    perMinute: 20,
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary: 'Sign in with email and password, and the code of the second factor where there is one',
  },
  refresh: {
    method: 'POST',
    path: '/api/auth/refresh',
    access: 'public',
    summary: 'Exchange the refresh cookie for a new session cookie',
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    summary: 'End this session',
  },
  me: {
    method: 'GET',
    path: '/api/auth/me',
    access: 'self',
    summary: 'Who is signed in',
  },
  updateMe: {
    method: 'PUT',
    path: '/api/auth/me',
    access: 'self',
    sessionOnly: true,
    summary: 'Change your own name',
  },
  memberships: {
    method: 'GET',
    path: '/api/auth/memberships',
    access: 'self',
    summary: 'The organizations that you belong to',
  },
  switchOrganization: {
    method: 'POST',
    path: '/api/auth/switch',
    access: 'self',
    sessionOnly: true,
    summary: 'Go on in another of your organizations: a new session there, this one ends',
  },
});
