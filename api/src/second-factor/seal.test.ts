import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const [now, before, other] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const account = '0198c0de-0000-7000-8000-000000000001';

describe('a seal', () => {
  it('opens what it closed, which shows nothing of it and is never the same twice', () => {
    const seal = createSeal(now);
    const [one, two] = [seal.close(secret, account), seal.close(secret, account)];
    expect(seal.open(one, account)).toEqual({ secret, old: false });
    expect(one.equals(two)).toBe(false);
    expect(one.toString('latin1')).not.toContain(secret.slice(0, 6));
  });

  it('opens what was closed under the secret before, and says so', () => {
    const closed = createSeal(before).close(secret, account);
    expect(createSeal(now, before).open(closed, account)).toEqual({ secret, old: true });
    expect(createSeal(now).open(closed, account)).toBeUndefined();
    expect(createSeal(now, other).open(closed, account)).toBeUndefined();
  });

  it('closes under the current one only', () => {
    const closed = createSeal(now, before).close(secret, account);
    expect(createSeal(before).open(closed, account)).toBeUndefined();
  });

  it('opens nothing that was put into the row of another account', () => {
    const seal = createSeal(now);
    expect(seal.open(seal.close(secret, account), account.replace('1', '2'))).toBeUndefined();
  });

  it('opens nothing that was tampered with, cut or empty', () => {
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
