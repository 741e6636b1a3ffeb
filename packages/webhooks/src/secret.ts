import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const bytes = { iv: 12, tag: 16, key: 32, secret: 32 } as const;

/** A secret of the Standard Webhooks scheme: `whsec_` and base64 of 24 to 64 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(bytes.secret).toString('base64')}`;

/** Shown to distinguish secrets. */
export const secretHint = (secret: string): string => secret.slice(-4);

/** Encrypts the secrets of webhooks for the database, each bound to its webhook. */
export interface WebhookVault {
  close(secret: string, webhookId: string): Buffer;
  /** @returns undefined when it was encrypted with another key or for another webhook */
  open(sealed: Buffer, webhookId: string): string | undefined;
}

/** AES-256-GCM with a key derived from WEBHOOK_KEY by HKDF; the result is iv, tag and text in this order. */
export function createWebhookVault(webhookKey: string): WebhookVault {
  const key = Buffer.from(hkdfSync('sha256', webhookKey, '', 'riskboard webhooks', bytes.key));
  return {
    close(secret, webhookId) {
      const iv = randomBytes(bytes.iv);
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: bytes.tag });
      cipher.setAAD(Buffer.from(webhookId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    open(sealed, webhookId) {
      try {
        const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, bytes.iv), {
          authTagLength: bytes.tag,
        });
        decipher.setAAD(Buffer.from(webhookId));
        decipher.setAuthTag(sealed.subarray(bytes.iv, bytes.iv + bytes.tag));
        return (
          decipher.update(sealed.subarray(bytes.iv + bytes.tag), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch {
        return undefined;
      }
    },
  };
}
