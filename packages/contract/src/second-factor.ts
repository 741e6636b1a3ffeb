import { z } from 'zod';
import { Password, Success } from './accounts.ts';
import { Time } from './common.ts';
import { endpoints } from './endpoint.ts';

/** Six digits, RFC 6238: SHA-1, 30 seconds. */
const Code = z
  .string()
  .trim()
  .regex(/^\d{6}$/u, 'Enter the six digits of your authenticator app.');
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const secondFactor = endpoints({
  get: {
    method: 'GET',
    path: '/api/auth/second-factor',
    access: 'self',
    sessionOnly: true,
    summary: 'Whether a second factor is set up, and how many recovery codes are left',
    reply: {
      200: z.object({
        enabled: z.boolean(),
        enabledAt: Time.nullable(),
        recoveryCodesLeft: z.int(),
        /** An organisation of the person requires it: it cannot be turned off. */
        required: z.boolean(),
      }),
    },
  },
  begin: {
    method: 'POST',
    path: '/api/auth/second-factor/begin',
    access: 'self',
    sessionOnly: true,
    summary: 'Make a new secret for an authenticator app; nothing changes before it is confirmed',
    perMinute: 20,
    body: z.object({ password: Password }),
    reply: {
      201: z.object({
        /** Base32, for typing. */
        secret: z.string(),
        /** otpauth:// address, for a QR code. */
        uri: z.string(),
      }),
    },
  },
  confirm: {
    method: 'POST',
    path: '/api/auth/second-factor/confirm',
    access: 'self',
    sessionOnly: true,
    summary:
      'Turn the second factor on with a first code; the recovery codes are shown once, other sessions end',
    perMinute: 20,
    body: z.object({ code: Code }),
    reply: { 200: RecoveryCodes },
  },
  newRecoveryCodes: {
    method: 'POST',
    path: '/api/auth/second-factor/recovery-codes',
    access: 'self',
    sessionOnly: true,
    summary: 'Make new recovery codes; the old ones end',
    perMinute: 20,
    body: z.object({ password: Password }),
    reply: { 200: RecoveryCodes },
  },
  disable: {
    method: 'POST',
    path: '/api/auth/second-factor/disable',
    access: 'self',
    sessionOnly: true,
    summary: 'Turn the second factor off',
    perMinute: 20,
    body: z.object({ password: Password }),
    reply: { 200: Success },
  },
});
