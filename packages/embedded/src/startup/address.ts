import { isIPv6 } from 'node:net';
import { badConfigurationExit, type Environment } from '@riskboard/contract/environment';
import { tryPort } from '../process/free-port.ts';
import { StartError } from './start-error.ts';

/** Wildcard addresses, with the loopback address that reaches them. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** URL of the API on this machine. */
export function localBase({ HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>): string {
  const host = loopbackOf[HOST] ?? HOST;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${PORT}`;
}

const problems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is in use by another program. Stop that program, or set PORT to a free port.`,
  EACCES: (_, port) => `Port ${port} requires more privileges. Set PORT to a port above 1023.`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST ${host} is unknown.`,
};

/** The line that says where the product is reached, and that no worker of this process group processes jobs. */
export function readyText(
  origin: string,
  { seconds, workers }: { seconds: number; workers: number },
): string {
  const after = `${seconds.toFixed(1)} s; press Ctrl-C to stop`;
  const state =
    workers > 0
      ? `ready in ${after}`
      : `api started in ${after}; WORKERS=0: no worker runs here, jobs wait for one on another machine`;
  return `  Address      ${origin}  (${state})`;
}

/** The line that says where the product is reached while a part of it is missing. */
export const unreadyText = (origin: string, problem: string): string =>
  `  Address      ${origin}  (started, but not ready: ${problem})`;

/** Runs before anything is started. @throws StartError when the API could not listen */
export async function checkAddress({ HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>): Promise<void> {
  const tried = await tryPort(PORT, HOST);
  if ('port' in tried) return;
  const message = problems[tried.code]?.(HOST, PORT);
  throw new StartError(message ?? `Cannot listen on ${HOST}:${PORT} (${tried.code}).`, {
    exitCode: badConfigurationExit,
  });
}
