import { endpoints } from '../endpoint.ts';
import type { invitationSchemas, memberSchemas } from '../schemas/accounts/members.ts';

export const members = endpoints<typeof memberSchemas>()({
  list: {
    method: 'GET',
    path: '/api/organization/members',
    access: 'owner',
    sessionOnly: true,
  },
  add: {
    method: 'POST',
    path: '/api/organization/members',
    access: 'owner',
    sessionOnly: true,
    perMinute: 60,
  },
  setRole: {
    method: 'PUT',
    path: '/api/organization/members/:id',
    access: 'owner',
    sessionOnly: true,
  },
  resetSecondFactor: {
    method: 'POST',
    path: '/api/organization/members/:id/reset-second-factor',
    access: 'owner',
    sessionOnly: true,
    perMinute: 20,
  },
  endSessions: {
    method: 'POST',
    path: '/api/organization/members/:id/end-sessions',
    access: 'owner',
    sessionOnly: true,
    perMinute: 20,
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/members/:id',
    access: 'owner',
    sessionOnly: true,
  },
});

export const invitations = endpoints<typeof invitationSchemas>()({
  list: {
    method: 'GET',
    path: '/api/organization/invitations',
    access: 'owner',
    sessionOnly: true,
  },
  create: {
    method: 'POST',
    path: '/api/organization/invitations',
    access: 'owner',
    sessionOnly: true,
    perMinute: 60,
  },
  withdraw: {
    method: 'DELETE',
    path: '/api/organization/invitations/:id',
    access: 'owner',
    sessionOnly: true,
  },
  read: {
    method: 'POST',
    path: '/api/auth/invitation',
    access: 'public',
    perMinute: 60,
  },
  accept: {
    method: 'POST',
    path: '/api/auth/invitation/accept',
    access: 'self',
    sessionOnly: true,
    replacesSession: true,
  },
});
