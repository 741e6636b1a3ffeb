import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const bytes = { iv: 12, tag: 16, key: 32 } as const;

/** Encrypts small secrets for the database, each bound to its account. */
export interface Seal {
  close(secret: string, accountId: string): Buffer;
  /** The secret and whether it was encrypted with the previous key; undefined when no key decrypts it. */
  open(sealed: Buffer, accountId: string): { secret: string; old: boolean } | undefined;
}

const keyOf = (sessionSecret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', sessionSecret, '', 'riskboard second factor', bytes.key));

function decrypt(key: Buffer, sealed: Buffer, accountId: string): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, bytes.iv), {
      authTagLength: bytes.tag,
    });
    decipher.setAAD(Buffer.from(accountId));
    decipher.setAuthTag(sealed.subarray(bytes.iv, bytes.iv + bytes.tag));
    return decipher.update(sealed.subarray(bytes.iv + bytes.tag), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

/** AES-256-GCM with a key derived from the session secret by HKDF; the result is iv, tag and text in this order. */
export function createSeal(current: string, previous?: string): Seal {
  const key = keyOf(current);
  const oldKey = previous === undefined ? undefined : keyOf(previous);
  return {
    close(secret, accountId) {
      const iv = randomBytes(bytes.iv);
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: bytes.tag });
      cipher.setAAD(Buffer.from(accountId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    open(sealed, accountId) {
      const secret = decrypt(key, sealed, accountId);
      if (secret !== undefined) return { secret, old: false };
      const before = oldKey && decrypt(oldKey, sealed, accountId);
      return before === undefined ? undefined : { secret: before, old: true };
    },
  };
}
