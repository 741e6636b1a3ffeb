import { hash, verify } from '@node-rs/argon2';

/** argon2id, OWASP's first choice of parameters: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, parameters);

let decoy: Promise<string> | undefined;

/**
 * Checks a password against the stored hash. Without an account a decoy hash is verified, so that the response time does
 * not reveal which addresses exist (ASVS 5.0, 6.3.8).
 */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(stored ?? (await decoy), password);
  return matches && stored !== undefined;
}
