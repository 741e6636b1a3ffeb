import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServerMessage } from '@riskboard/contract/schemas';
import { WebSocket } from 'ws';
import { vi } from 'vitest';
import { cookieHeader, type Person } from './person.ts';
import { origin, type TestApi } from './start-api.ts';

/** A browser's end of `GET /api/events`; every message is checked against the contract. */
export interface Stream {
  socket: WebSocket;
  messages: ServerMessage[];
  /** Resolves with the code once the server has closed. */
  closed: Promise<number>;
  types(): string[];
  /** Waits until hello and snapshot are there. */
  opened(): Promise<void>;
}

export async function listen({ app }: TestApi): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/events`;
}

export const openStream = (url: string, person: Person): Stream =>
  streamWith(url, { origin, cookie: cookieHeader(person.cookies) });

/** By whatever these headers show. */
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
    opened: () => vi.waitFor(() => expectStart(types()), { timeout: 5000, interval: 10 }),
  };
}

function expectStart(types: string[]): void {
  if (types[0] !== 'hello' || types[1] !== 'snapshot') throw new Error(`heard ${types.join(', ')}`);
}

/** What the server answers to a handshake that it refuses. */
export async function handshake(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  socket.terminate();
  return response;
}

/** The status with which the server refuses the handshake. */
export const refusal = async (url: string, headers: Record<string, string>): Promise<number> =>
  (await handshake(url, headers)).statusCode ?? 0;
