import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
let direct: Socket;
let through: Socket;
beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const url = `tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  proxy = await startProxy(url);
  [direct, through] = await Promise.all([open(url), open(proxy.through(url))]);
});
afterEach(async () => {
  direct.destroy();
  through.destroy();
  await proxy.close();
  echo.close();
});

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the answer has arrived; lists who answered. */
async function answered(socket: Socket, text: string): Promise<void> {
  let left = text.length;
  socket.write(text);
  while (left > 0) left -= ((await once(socket, 'data')) as [Buffer])[0].length;
}

async function orderOf(slow: () => void, bytes: number): Promise<string[]> {
  const order: string[] = [];
  slow();
  await Promise.all([
    answered(through, 'x'.repeat(bytes)).then(() => order.push('through the proxy')),
    answered(direct, 'x').then(() => order.push('direct')),
  ]);
  return order;
}

it('a delay lets an answer arrive after one that was not delayed, and nothing is lost', async () => {
  expect(await orderOf(() => proxy.delay(50), 1)).toEqual(['direct', 'through the proxy']);
});

it('a throttle forwards every byte, slower than a connection without it', async () => {
  expect(await orderOf(() => proxy.throttle(100_000), 5000)).toEqual(['direct', 'through the proxy']);
});

it('nothing passes while frozen, until the proxy is restored', async () => {
  proxy.freeze();
  through.write('lost');
  await answered(direct, 'x');
  expect(through.bytesRead).toBe(0);
  await proxy.restore();
  through = await open(proxy.through(`tcp://127.0.0.1:1`));
  await answered(through, 'again');
});
