import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

const header = 'x-forwarded-for';

/**
 * Keeps the valid addresses of X-Forwarded-For next to this server: each proxy appends the address that it saw, so
 * everything before an invalid entry was made up by a client.
 */
export function keepValidAddresses({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const given = headers[header];
  if (given === undefined) return;
  const entries = String(given).split(',');
  const valid: string[] = [];
  for (const entry of entries.toReversed().map((text) => text.trim())) {
    if (isIP(entry) === 0) break;
    valid.unshift(entry);
  }
  if (valid.length > 0) headers[header] = valid.join(', ');
  else delete headers[header];
}

/** Warns once when a peer that is not a trusted proxy sends X-Forwarded-For: all its visitors count as one address. */
export function warnAboutUntrustedProxy(app: FastifyInstance): void {
  let warned = false;
  app.addHook('onRequest', async ({ headers, ips, raw, log }) => {
    if (warned || headers[header] === undefined || (ips?.length ?? 1) > 1) return;
    warned = true;
    log.warn(
      { peer: raw.socket.remoteAddress },
      'X-Forwarded-For is ignored, because TRUSTED_PROXIES does not name this peer. If it is your proxy, name it; otherwise a client forges addresses',
    );
  });
}
