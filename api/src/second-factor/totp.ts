import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as authenticator apps implement it: SHA-1, six digits, 30 seconds; 160 random bits (RFC 4226, 4). */
const secretBytes = 20;
/** One step of clock drift either way (RFC 6238, 5.2). */
const drift = 1;

/** Six digits; ASCII only, since otpauth throws on other digits. */
export const isAppCode = (text: string): boolean => /^[0-9]{6}$/u.test(text);

/** Base32. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Riskboard', label, secret: Secret.fromBase32(secret) });

/** The URI that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, email: string): string => totp(secret, email).toString();

/** The 30-second step of a code near a time in milliseconds; undefined when no near step has the code. */
export function stepOfCode(secret: string, code: string, timestamp: number): number | undefined {
  if (!isAppCode(code)) return undefined;
  const app = totp(secret);
  const delta = app.validate({ token: code, timestamp, window: drift });
  return delta === null ? undefined : app.counter({ timestamp }) + delta;
}
