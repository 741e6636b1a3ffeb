import { expect, it } from 'vitest';
import { createWebhookVault, newWebhookSecret } from './secret.ts';

it('a secret has 32 random bytes in the form of Standard Webhooks', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_/u);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  expect(newWebhookSecret()).not.toBe(secret);
});

it('an encrypted secret opens with its key for its webhook only, and not after a change', () => {
  const vault = createWebhookVault('k'.repeat(32));
  const sealed = vault.close('whsec_x', 'a');
  expect(vault.open(sealed, 'a')).toBe('whsec_x');
  expect(vault.open(sealed, 'b')).toBeUndefined();
  expect(createWebhookVault('l'.repeat(32)).open(sealed, 'a')).toBeUndefined();
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) + 1;
  expect(vault.open(sealed, 'a')).toBeUndefined();
  expect(vault.open(Buffer.alloc(3), 'a')).toBeUndefined();
});
