import type { SchemaTable } from '../../endpoint.ts';
import { Time } from '../common.ts';
import { Identity, Success } from './accounts.ts';
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
        required: z.boolean().describe('An organization of the person requires it: it cannot be turned off.'),
      }),
    },
  },
  begin: {
    summary: 'Create a secret for an authenticator app; it takes effect when it is confirmed',
    body: Identity,
    reply: {
      201: z.object({
        secret: z.string().describe('Base32, for typing.'),
        uri: z.string().describe('otpauth:// address, for a QR code.'),
      }),
    },
  },
  confirm: {
    summary:
      'Turn the second factor on with a first code; the recovery codes are shown once, a new session replaces this one, and your other sessions end',
    body: z.object({ code: Code }),
    reply: { 200: RecoveryCodes },
  },
  newRecoveryCodes: {
    summary: 'Create new recovery codes; the old ones become invalid',
    body: Identity,
    reply: { 200: RecoveryCodes },
  },
  disable: {
    summary: 'Disable the second factor; a new session replaces this one',
    body: Identity,
    reply: { 200: Success },
  },
} satisfies SchemaTable;
