import { createHmac } from 'node:crypto';

interface Message {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

const signature = (secret: string, { id, timestamp, body }: Message): string => {
  const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};

/**
 * The headers of a message in the scheme of Standard Webhooks: one signature for each secret, separated by spaces.
 * @param secrets `whsec_` and base64
 */
export const signedHeaders = (secrets: readonly string[], message: Message): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map((secret) => signature(secret, message)).join(' '),
});
