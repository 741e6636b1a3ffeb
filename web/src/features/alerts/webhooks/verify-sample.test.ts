// oxlint-disable-next-line no-restricted-imports -- the example runs in Node.js
import { createHmac, timingSafeEqual } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifySample } from './verify-sample.ts';

type Verify = (secret: string, headers: Record<string, string>, body: string) => boolean;

/** The function of the example, without its import and export. */
function sample(): Verify {
  const code = verifySample.replace(/^import .*$/mu, '').replace('export function', 'return function');
  // oxlint-disable-next-line typescript/no-implied-eval -- runs the example as a receiver would
  return new Function('createHmac', 'timingSafeEqual', code)(createHmac, timingSafeEqual) as Verify;
}

const secret = `whsec_${Buffer.from('a secret of the receiver').toString('base64')}`;
const body = '{"type":"alert.created"}';
const now = () => Math.floor(Date.now() / 1000);

function headersOf(time: number, text = body) {
  const hash = createHmac('sha256', 'a secret of the receiver').update(`id-1.${time}.${text}`);
  return {
    'webhook-id': 'id-1',
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1,${hash.digest('base64')}`,
  };
}

test('the example accepts a message that one of two secrets has signed', () => {
  expect(sample()(secret, headersOf(now()), body)).toBe(true);
});

test.each([
  ['of another content', () => headersOf(now(), '{}')],
  ['of ten minutes ago', () => headersOf(now() - 600)],
  ['without a signature', () => ({ ...headersOf(now()), 'webhook-signature': '' })],
])('the example refuses a message %s', (_, headers) => {
  expect(sample()(secret, headers(), body)).toBe(false);
});
