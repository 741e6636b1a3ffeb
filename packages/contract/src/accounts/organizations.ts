import { endpoints } from '../endpoint.ts';
import type { organizationSchemas } from '../schemas/accounts/organizations.ts';

export const organizations = endpoints<typeof organizationSchemas>()({
  get: {
    method: 'GET',
    path: '/api/organization',
    access: 'viewer',
    summary: 'Your organization',
  },
  update: {
    method: 'PUT',
    path: '/api/organization',
    access: 'owner',
    summary: 'Rename the organization, or require a second factor of its members',
  },
  transferOwnership: {
    method: 'POST',
    path: '/api/organization/hand-over',
    access: 'owner',
    sessionOnly: true,
    summary: 'Make another member the owner; you become an analyst',
  },
  leave: {
    method: 'POST',
    path: '/api/organization/leave',
    access: 'self',
    sessionOnly: true,
    summary: 'Leave the organization; an account that belongs to none any more goes too',
  },
  delete: {
    method: 'DELETE',
    path: '/api/organization',
    access: 'owner',
    sessionOnly: true,
    summary: 'Delete the organization and everything in it, as a job; the name must be typed',
  },
});
