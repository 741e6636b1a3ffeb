import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureOf = (token: string, key: string): string =>
  createHmac('sha256', key).update(`refresh ${token}`).digest('base64url');

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Adds a signature to a refresh token `id.secret`: without one it would outlive a change of the secret of sessions. */
export const signRefresh = (token: string, key: string): string => `${token}.${signatureOf(token, key)}`;

/**
 * The secret that follows that of a refresh token. Derived, so that a repeated renewal, whose first answer was lost,
 * receives the same one.
 */
export function nextSecret(token: string, key: string): string {
  const [id = '', secret = ''] = token.split('.');
  return createHmac('sha256', key).update(`next refresh ${id}.${secret}`).digest('base64url');
}

/**
 * Whether a refresh token is signed with one of the keys.
 * @returns undefined for one from before refresh tokens were signed
 */
export function isSignedRefresh(token: string, keys: readonly string[]): boolean | undefined {
  const [id = '', secret = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  return keys.some((key) => isSame(signature, signatureOf(`${id}.${secret}`, key)));
}
