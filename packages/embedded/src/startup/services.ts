import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Environment } from '@riskboard/contract/environment';

/** An external service that the product needs. */
export interface Service {
  /** Includes the host, the port and the name of the database, never the rest of the URL, which may contain secrets. */
  name: string;
  host: string;
  port: number;
  tls: boolean;
  /** A message that the service answers before authentication. */
  hello: Uint8Array;
}

/** PostgreSQL, Message Formats: SSLRequest; answered with one byte. */
const sslRequest = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47);
const ping = new TextEncoder().encode('PING\r\n');

/** After this time a service counts as not answering. */
const timeoutMs = 1000;

/** The configured database and Redis, without those reached by a socket file. */
export function configuredServices({
  DATABASE_URL,
  REDIS_URL,
}: Pick<Environment, 'DATABASE_URL' | 'REDIS_URL'>): Service[] {
  const service = (what: string, address: string | undefined, standard: number, hello: Uint8Array) => {
    if (address === undefined) return [];
    const url = new URL(address);
    if (url.hostname === '' || url.hostname.includes('%2F')) return [];
    const port = url.port === '' ? standard : Number(url.port);
    const host = url.hostname.replaceAll(/[[\]]/gu, '');
    return [
      { name: `${what} at ${url.hostname}:${port}`, host, port, tls: url.protocol === 'rediss:', hello },
    ];
  };
  return [
    ...service(`the database${databaseOf(DATABASE_URL)}`, DATABASE_URL, 5432, sslRequest),
    ...service('Redis', REDIS_URL, 6379, ping),
  ];
}

/** The name of the database in its address, after a blank; empty without one, when PostgreSQL takes that of the user. */
function databaseOf(address: string | undefined): string {
  const name = address === undefined ? '' : new URL(address).pathname.slice(1);
  return name && ` ${name}`;
}

const open = ({ host, port, tls }: Service): Socket =>
  tls ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });

/** Why a service does not answer; undefined when it does. */
export async function whyUnanswered(service: Service): Promise<string | undefined> {
  const socket = open(service);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    socket.write(service.hello);
    await once(socket, 'data', { signal });
    return undefined;
  } catch (error) {
    if (signal.aborted) return 'no answer';
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'connection refused' : 'not reachable';
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}
