import type { ErrorCode } from '@riskboard/contract';
import type { FastifyRequest } from 'fastify';

/** Printable pages, and the page of the product that has the button for each. */
const pages: readonly (readonly [printed: RegExp, page: string])[] = [
  [/^\/api\/overview\/report(?=\?|$)/u, '/dashboard/report'],
  [/^\/api\/batches\/([\w-]+)\/report(?:\?.*)?$/u, '/dashboard/batches/$1'],
];

/** The session may still be valid: only its cookie for the API has expired, which a page of the product renews. */
const renewed: ReadonlySet<ErrorCode> = new Set(['not_signed_in', 'session_expired']);

/**
 * The page of the product for a browser that loads a printable page again after its session cookie has expired; undefined for
 * every other refusal and client.
 */
export function pageOfPrint({ method, url, headers }: FastifyRequest, code: ErrorCode): string | undefined {
  const isLoadedByBrowser = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  if (!isLoadedByBrowser || !renewed.has(code)) return undefined;
  const found = pages.find(([printed]) => printed.test(url));
  return found && url.replace(...found);
}
