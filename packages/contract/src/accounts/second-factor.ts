import { endpoints } from '../endpoint.ts';
import type { secondFactorSchemas } from '../schemas/accounts/second-factor.ts';

export const secondFactor = endpoints<typeof secondFactorSchemas>()({
  get: {
    method: 'GET',
    path: '/api/auth/second-factor',
    access: 'self',
    sessionOnly: true,
  },
  begin: {
    method: 'POST',
    path: '/api/auth/second-factor/begin',
    access: 'self',
    sessionOnly: true,
    perMinute: 20,
  },
  confirm: {
    method: 'POST',
    path: '/api/auth/second-factor/confirm',
    access: 'self',
    sessionOnly: true,
    replacesSession: true,
    perMinute: 20,
  },
  newRecoveryCodes: {
    method: 'POST',
    path: '/api/auth/second-factor/recovery-codes',
    access: 'self',
    sessionOnly: true,
    perMinute: 20,
  },
  disable: {
    method: 'POST',
    path: '/api/auth/second-factor/disable',
    access: 'self',
    sessionOnly: true,
    replacesSession: true,
    perMinute: 20,
  },
});
