import { endpoints } from '../endpoint.ts';
import type { organizationSchemas } from '../schemas/accounts/organizations.ts';

export const organizations = endpoints<typeof organizationSchemas>()({
  get: {
    method: 'GET',
    path: '/api/organization',
    access: 'viewer',
  },
  update: {
    method: 'PUT',
    path: '/api/organization',
    access: 'owner',
    sessionOnly: true,
  },
  transferOwnership: {
    method: 'POST',
    path: '/api/organization/hand-over',
    access: 'owner',
    sessionOnly: true,
  },
  leave: {
    method: 'POST',
    path: '/api/organization/leave',
    access: 'self',
    sessionOnly: true,
  },
  delete: {
    method: 'DELETE',
    path: '/api/organization',
    access: 'owner',
    sessionOnly: true,
  },
});
