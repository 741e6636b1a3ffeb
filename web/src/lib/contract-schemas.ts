import { Password } from '@riskboard/contract/schemas';
import { z } from 'zod';

// The policy allows no `eval`, which zod would otherwise use to compile its schemas.
z.config({ jitless: true });

/** The part of a body that holds for every endpoint that asks for the password once more. */
export const PasswordBody = z.object({ password: Password });

export * from '@riskboard/contract/schemas';
