import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServerMessage } from '@riskboard/contract/schemas';
import { WebSocket } from 'ws';
import { vi } from 'vitest';
import { cookieHeader, type Person } from './person.ts';
import { origin, type TestApi } from './start-api.ts';

/** A client of `GET /api/events`; every message is validated against the contract. */
export interface Stream {
  socket: WebSocket;
  messages: ServerMessage[];
  /** Resolves with the code once the server has closed. */
  closed: Promise<number>;
  types(): string[];
  /** Waits for hello and snapshot. */
  opened(): Promise<void>;
}

export async function listen({ app }: TestApi): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/events`;
}

export const openStream = (url: string, person: Person): Stream =>
  streamWith(url, { origin, cookie: cookieHeader(person.cookies) });

/** Opens a stream with these headers. */
export function streamWith(url: string, headers: Record<string, string>): Stream {
  const socket = new WebSocket(url, { headers });
  const messages: ServerMessage[] = [];
  socket.on('message', (data: Buffer) => messages.push(ServerMessage.parse(JSON.parse(data.toString()))));
  socket.on('error', () => undefined);
  const types = () => messages.map((message) => message.type);
  return {
    socket,
    messages,
    closed: once(socket, 'close').then(([code]) => code as number),
    types,
    opened: () => vi.waitFor(() => expectStart(types()), { interval: 10 }),
  };
}

function expectStart(types: string[]): void {
  if (types[0] !== 'hello' || types[1] !== 'snapshot') throw new Error(`received ${types.join(', ')}`);
}

/** The response to a refused handshake. */
export async function handshake(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  socket.terminate();
  return response;
}

/** The status of a refused handshake. */
export const refusal = async (url: string, headers: Record<string, string>): Promise<number> =>
  (await handshake(url, headers)).statusCode ?? 0;
