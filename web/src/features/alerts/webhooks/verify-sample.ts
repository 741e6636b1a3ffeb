/** Code that verifies the signature of a message (Standard Webhooks), for Node.js. */
export const verifySample = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the request body as it arrived, before JSON.parse
export function isGenuine(secret, headers, body) {
  const id = headers['webhook-id'];
  const time = headers['webhook-timestamp'];
  // Older than 5 minutes: a recorded message that is sent again
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = \`\${id}.\${time}.\${body}\`;
  const expected = createHmac('sha256', key).update(signed).digest();
  // During a rotation there are two signatures, separated by a space
  return String(headers['webhook-signature']).split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    if (version !== 'v1' || given.length !== expected.length) return false;
    return timingSafeEqual(given, expected);
  });
}
`;
