import { scryptSync } from 'node:crypto';

/**
 * Recognizes a secret without revealing it: slow to compute, so that a weak secret cannot be guessed from a backup, and
 * short. The same secret always has the same fingerprint.
 */
export const fingerprint = (name: string, secret: string): string =>
  scryptSync(secret, `riskboard backup ${name}`, 12, {
    N: 2 ** 15,
    r: 8,
    p: 1,
    maxmem: 64 * 1024 ** 2,
  }).toString('base64url');
