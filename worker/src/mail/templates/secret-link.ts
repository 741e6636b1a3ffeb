import { createHash, randomBytes } from 'node:crypto';

export interface SecretLink {
  url: string;
  /** SHA-256 of the token. Only this is stored; 32 random bytes need no slow hash. */
  hash: Buffer;
}

/** A link with a random token, which exists only in the mail. */
export function makeSecretLink(origin: string, path: string): SecretLink {
  const token = randomBytes(32).toString('base64url');
  return {
    url: `${origin}${path}?token=${token}`,
    hash: createHash('sha256').update(token).digest(),
  };
}
