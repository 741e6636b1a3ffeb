import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { signedHeaders } from './sign.ts';

/** HMAC-SHA-256 by its definition (RFC 2104), from the hash alone. */
function hmac(key: Buffer, text: string): Buffer {
  const block = Buffer.alloc(64);
  (key.length > 64 ? createHash('sha256').update(key).digest() : key).copy(block);
  const pad = (byte: number) => Buffer.from(block.map((one) => one ^ byte));
  const inner = createHash('sha256').update(pad(0x36)).update(text).digest();
  return createHash('sha256').update(pad(0x5c)).update(inner).digest();
}

/** Verifies as the libraries of Standard Webhooks do: any signature of version 1 may match. */
const verify = (secret: string, headers: Record<string, string>, body: string): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${hmac(key, text).toString('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
};

/** Vector of the reference libraries. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
} as const;

it('a message has the headers of the published vector', () => {
  expect(signedHeaders([vector.secret], vector)).toEqual({
    'webhook-id': vector.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': vector.signature,
  });
});

it.each([24, 32, 64])('a secret of %i bytes signs id, timestamp and body in UTF-8', (length) => {
  const secret = `whsec_${Buffer.alloc(length, length).toString('base64')}`;
  const body = '{"type":"alert.created","data":{"rule":"Kritische Lücken 🔥"}}';
  const headers = signedHeaders([secret], { id: 'a', timestamp: 1, body });
  expect(verify(secret, headers, body)).toBe(true);
  expect(verify(secret, headers, `${body} `)).toBe(false);
  expect(verify(secret, { ...headers, 'webhook-timestamp': '2' }, body)).toBe(false);
  expect(verify(secret, { ...headers, 'webhook-id': 'b' }, body)).toBe(false);
});

it('during a rotation a message verifies with either secret, and with no other', () => {
  const [current, former, other] = [1, 2, 3].map(
    (n) => `whsec_${Buffer.alloc(24, n).toString('base64')}`,
  ) as [string, string, string];
  const headers = signedHeaders([current, former], { id: 'a', timestamp: 1, body: '{}' });
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  expect([current, former, other].map((secret) => verify(secret, headers, '{}'))).toEqual([
    true,
    true,
    false,
  ]);
});
