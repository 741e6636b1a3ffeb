import type { SchemaTable } from '../../endpoint.ts';
import { Time } from '../common.ts';
import { Password, Success } from './accounts.ts';
import { z } from 'zod';

/** Six digits, RFC 6238: SHA-1, 30 seconds. */
const Code = z
  .string()
  .trim()
  .regex(/^\d{6}$/u, 'Enter the six digits of your authenticator app.');

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const secondFactorSchemas = {
  get: {
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
    summary: 'Make a new secret for an authenticator app; nothing changes before it is confirmed',
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
    summary:
      'Turn the second factor on with a first code; the recovery codes are shown once, other sessions end',
    body: z.object({ code: Code }),
    reply: { 200: RecoveryCodes },
  },
  newRecoveryCodes: {
    summary: 'Make new recovery codes; the old ones end',
    body: z.object({ password: Password }),
    reply: { 200: RecoveryCodes },
  },
  disable: {
    summary: 'Turn the second factor off',
    body: z.object({ password: Password }),
    reply: { 200: Success },
  },
} satisfies SchemaTable;
