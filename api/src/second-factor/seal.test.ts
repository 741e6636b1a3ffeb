import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const [now, before, other] = ['a', 'b', 'c'].map((character) => character.repeat(32)) as [
  string,
  string,
  string,
];
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const account = '0198c0de-0000-7000-8000-000000000001';

describe('a seal', () => {
  it('decrypts what it encrypted, and each encryption differs', () => {
    const seal = createSeal(now);
    const [one, two] = [seal.close(secret, account), seal.close(secret, account)];
    expect(seal.open(one, account)).toEqual({ secret, old: false });
    expect(one.equals(two)).toBe(false);
    expect(one.toString('latin1')).not.toContain(secret.slice(0, 6));
  });

  it('decrypts with the previous secret and reports it', () => {
    const closed = createSeal(before).close(secret, account);
    expect(createSeal(now, before).open(closed, account)).toEqual({ secret, old: true });
    expect(createSeal(now).open(closed, account)).toBeUndefined();
    expect(createSeal(now, other).open(closed, account)).toBeUndefined();
  });

  it('encrypts with the current secret only', () => {
    const closed = createSeal(now, before).close(secret, account);
    expect(createSeal(before).open(closed, account)).toBeUndefined();
  });

  it('does not decrypt a secret of another account', () => {
    const seal = createSeal(now);
    expect(seal.open(seal.close(secret, account), account.replace('1', '2'))).toBeUndefined();
  });

  it('does not decrypt changed, truncated or empty data', () => {
    const seal = createSeal(now);
    const closed = seal.close(secret, account);
    for (const at of [0, 12, 28, closed.length - 1]) {
      const changed = Buffer.from(closed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(seal.open(changed, account)).toBeUndefined();
    }
    for (const length of [0, 11, 20, closed.length - 1])
      expect(seal.open(closed.subarray(0, length), account)).toBeUndefined();
  });
});
