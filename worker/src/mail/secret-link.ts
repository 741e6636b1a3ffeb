import { createHash, randomBytes } from 'node:crypto';

export interface SecretLink {
  url: string;
  /** SHA-256 of the token, all that is kept: 32 random bytes need no slow hash. */
  hash: Buffer;
}

/** A link that only its reader can follow; its token exists in the mail and nowhere else. */
export function makeSecretLink(origin: string, path: string): SecretLink {
  const token = randomBytes(32).toString('base64url');
  return {
    url: `${origin}${path}?token=${token}`,
    hash: createHash('sha256').update(token).digest(),
  };
}
