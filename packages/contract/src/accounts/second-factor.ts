import { endpoints } from '../endpoint.ts';
import type { secondFactorSchemas } from '../schemas/accounts/second-factor.ts';

export const secondFactor = endpoints<typeof secondFactorSchemas>()({
  get: {
    method: 'GET',
    path: '/api/auth/second-factor',
    access: 'self',
    sessionOnly: true,
    summary: 'Whether a second factor is set up, and how many recovery codes are left',
  },
  begin: {
    method: 'POST',
    path: '/api/auth/second-factor/begin',
    access: 'self',
    sessionOnly: true,
    summary: 'Make a new secret for an authenticator app; nothing changes before it is confirmed',
    perMinute: 20,
  },
  confirm: {
    method: 'POST',
    path: '/api/auth/second-factor/confirm',
    access: 'self',
    sessionOnly: true,
    summary:
      'Turn the second factor on with a first code; the recovery codes are shown once, other sessions end',
    perMinute: 20,
  },
  newRecoveryCodes: {
    method: 'POST',
    path: '/api/auth/second-factor/recovery-codes',
    access: 'self',
    sessionOnly: true,
    summary: 'Make new recovery codes; the old ones end',
    perMinute: 20,
  },
  disable: {
    method: 'POST',
    path: '/api/auth/second-factor/disable',
    access: 'self',
    sessionOnly: true,
    summary: 'Turn the second factor off',
    perMinute: 20,
  },
});
