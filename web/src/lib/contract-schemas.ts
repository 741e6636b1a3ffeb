import { Identity } from '@riskboard/contract/schemas';
import { z } from 'zod';

// The content security policy forbids `eval`, which zod would otherwise use to compile its schemas.
z.config({ jitless: true });

/** The fields of every body that confirms an action with the password, and a code where one is needed. */
export const IdentityBody = Identity;

export * from '@riskboard/contract/schemas';
// Loaded with the schemas: the tables of every CVSS version are large.
export { parseCvssVector } from '@riskboard/domain';
