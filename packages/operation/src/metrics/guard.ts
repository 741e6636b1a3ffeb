import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Whether the Authorization header holds the token of the metrics. Digests have equal lengths, and their comparison takes
 * the same time wherever they differ.
 */
export function holdsMetricsToken(token: string, authorization: string | undefined): boolean {
  const given = /^Bearer ([^ ]+)$/iu.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}
