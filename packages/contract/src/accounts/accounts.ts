import { endpoints } from '../endpoint.ts';
import type { accountSchemas } from '../schemas/accounts/accounts.ts';

export const accounts = endpoints<typeof accountSchemas>()({
  signup: {
    method: 'POST',
    path: '/api/auth/signup',
    access: 'public',
    perMinute: 20,
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
  },
  refresh: {
    method: 'POST',
    path: '/api/auth/refresh',
    usesCookie: true,
    access: 'public',
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    usesCookie: true,
    access: 'public',
  },
  me: {
    method: 'GET',
    path: '/api/auth/me',
    access: 'self',
  },
  updateMe: {
    method: 'PUT',
    path: '/api/auth/me',
    access: 'self',
    sessionOnly: true,
  },
  memberships: {
    method: 'GET',
    path: '/api/auth/memberships',
    access: 'self',
    sessionOnly: true,
  },
  switchOrganization: {
    method: 'POST',
    path: '/api/auth/switch',
    access: 'self',
    sessionOnly: true,
    replacesSession: true,
  },
});
