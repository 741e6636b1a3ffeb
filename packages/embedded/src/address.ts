import { isIPv6 } from 'node:net';
import type { Environment } from '@riskboard/contract/environment';
import { tryPort } from './free-port.ts';
import { StartError } from './say.ts';

/** An address that means every one of this machine's is reached at its loopback. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where this machine reaches the API. */
export function localBase({ HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>): string {
  const host = everywhere[HOST] ?? HOST;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${PORT}`;
}

/** What a person types into the browser (contract, Running it: APP_ORIGIN). */
export const publicOrigin = ({ APP_ORIGIN, PORT }: Pick<Environment, 'APP_ORIGIN' | 'PORT'>): string =>
  APP_ORIGIN ?? `http://localhost:${PORT}`;

const problems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is in use by another program. Stop that, or set PORT to another one.`,
  EACCES: (_, port) => `Port ${port} may not be used by this account. Set PORT to one above 1023.`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is no address of this machine.`,
  ENOTFOUND: (host) => `HOST ${host} is not known.`,
};

/** @throws StartError when the API could not listen, before anything is started. */
export async function checkAddress({ HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>): Promise<void> {
  const tried = await tryPort(PORT, HOST);
  if ('port' in tried) return;
  const words = problems[tried.code]?.(HOST, PORT);
  throw new StartError(words ?? `Nothing can listen on ${HOST}:${PORT} (${tried.code}).`);
}
