import { endpoints } from '../endpoint.ts';
import type { invitationSchemas, memberSchemas } from '../schemas/accounts/members.ts';

export const members = endpoints<typeof memberSchemas>()({
  list: {
    method: 'GET',
    path: '/api/organization/members',
    access: 'owner',
  },
  add: {
    method: 'POST',
    path: '/api/organization/members',
    access: 'owner',
    perMinute: 60,
  },
  setRole: {
    method: 'PUT',
    path: '/api/organization/members/:id',
    access: 'owner',
  },
  resetSecondFactor: {
    method: 'POST',
    path: '/api/organization/members/:id/reset-second-factor',
    access: 'owner',
    sessionOnly: true,
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/members/:id',
    access: 'owner',
  },
});

export const invitations = endpoints<typeof invitationSchemas>()({
  list: {
    method: 'GET',
    path: '/api/organization/invitations',
    access: 'owner',
  },
  create: {
    method: 'POST',
    path: '/api/organization/invitations',
    access: 'owner',
    perMinute: 60,
  },
  withdraw: {
    method: 'DELETE',
    path: '/api/organization/invitations/:id',
    access: 'owner',
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
  },
});
