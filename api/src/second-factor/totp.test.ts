import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** RFC 6238, appendix B: SHA-1, the last six of its eight digits. */
const rfcSecret = Secret.fromLatin1('12345678901234567890').base32;

describe('a TOTP code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is that of RFC 6238', (second, code) => {
    expect(stepOfCode(rfcSecret, code, second * 1000)).toBe(Math.floor(second / 30));
  });

  it('has its own step when it is at most one step early or late', () => {
    const step = Math.floor(1_234_567_890 / 30);
    const seen = (stepsLater: number) => stepOfCode(rfcSecret, '005924', (step + stepsLater) * 30_000);
    expect([-2, -1, 0, 1, 2].map(seen)).toEqual([undefined, step, step, step, undefined]);
  });

  it.each(['', '5924', '0059240', 'abcdef', '００５９２４'])('%j is not a code', (code) => {
    expect(stepOfCode(rfcSecret, code, 1_234_567_890_000)).toBeUndefined();
  });
});

describe('a TOTP secret', () => {
  it('has 160 random bits in base32', () => {
    const [one, two] = [newTotpSecret(), newTotpSecret()];
    expect(one).toMatch(/^[A-Z2-7]{32}$/u);
    expect(one).not.toBe(two);
  });

  it('has a URI with issuer and address, with any characters escaped', () => {
    const uri = new URL(totpUri(rfcSecret, 'a+b & ü@example.org'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('a+b & ü@example.org');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Riskboard',
      secret: rfcSecret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
