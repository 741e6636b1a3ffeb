import { endpoints } from '../endpoint.ts';
import type { invitationSchemas, memberSchemas } from '../schemas/accounts/members.ts';

export const members = endpoints<typeof memberSchemas>()({
  list: {
    method: 'GET',
    path: '/api/organization/members',
    access: 'owner',
    summary: 'The members of the organization',
  },
  add: {
    method: 'POST',
    path: '/api/organization/members',
    access: 'owner',
    summary: 'Invite somebody: the same as making an invitation, for nobody becomes a member unasked',
    perMinute: 60,
  },
  setRole: {
    method: 'PUT',
    path: '/api/organization/members/:id',
    access: 'owner',
    summary: "Change a member's role; the last owner stays one",
  },
  resetSecondFactor: {
    method: 'POST',
    path: '/api/organization/members/:id/reset-second-factor',
    access: 'owner',
    sessionOnly: true,
    summary: 'Take the second factor from a member who lost it, if they belong to no other organization',
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/members/:id',
    access: 'owner',
    summary: 'Remove a member: their sessions and tokens here end at once',
  },
});

export const invitations = endpoints<typeof invitationSchemas>()({
  list: {
    method: 'GET',
    path: '/api/organization/invitations',
    access: 'owner',
    summary: 'Open invitations',
  },
  create: {
    method: 'POST',
    path: '/api/organization/invitations',
    access: 'owner',
    summary: 'Invite somebody by mail and link, for 7 days; an invitation that is open is made anew',
    perMinute: 60,
  },
  withdraw: {
    method: 'DELETE',
    path: '/api/organization/invitations/:id',
    access: 'owner',
    summary: 'Withdraw an invitation',
  },
  read: {
    method: 'POST',
    path: '/api/auth/invitation',
    access: 'public',
    summary: 'What an invitation is for, to whoever holds its link',
    perMinute: 60,
  },
  accept: {
    method: 'POST',
    path: '/api/auth/invitation/accept',
    access: 'self',
    sessionOnly: true,
    summary: 'Join the organization of an invitation to your own address; a new session there, this one ends',
  },
});
