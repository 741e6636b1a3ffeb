import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../process/free-port.ts';
import { configuredServices, whyUnanswered } from './services.ts';
import { reportWaiting, type Waiting } from './report-waiting.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Starts a server that runs `onConnection` for each client. @returns its port */
async function startServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  });
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const answering = () =>
  startServer((socket) => socket.on('data', (bytes) => socket.write(bytes.length === 8 ? 'N' : '+PONG\r\n')));
const silent = () => startServer(() => undefined);

const secrets = 'ada:geheim@';
const environmentOf = (database: number, redis: number) => ({
  DATABASE_URL: `postgres://${secrets}127.0.0.1:${database}/riskboard?sslkey=geheim`,
  REDIS_URL: `redis://${secrets}127.0.0.1:${redis}/0`,
});

/** The lines printed while the work runs, until there are `count`. */
async function linesOf(count: number, waiting: Omit<Waiting, 'print'>): Promise<string[]> {
  const lines: string[] = [];
  const enough = Promise.withResolvers<string>();
  const print = (line: string) => {
    lines.push(line);
    if (lines.length === count) enough.resolve('done');
  };
  expect(await reportWaiting(enough.promise, { ...waiting, print }, { firstMs: 1, everyMs: 1 })).toBe('done');
  return lines;
}

describe('reportWaiting', () => {
  it('prints repeatedly which services do not answer and why, without the secrets of their URLs', async () => {
    const [refusing, hanging] = [await freePort(), await silent()];
    const line = `  Waiting for  the database riskboard at 127.0.0.1:${hanging} (no answer) and Redis at 127.0.0.1:${refusing} (connection refused)`;
    const lines = await linesOf(2, { services: configuredServices(environmentOf(hanging, refusing)) });
    expect(lines).toEqual([line, line]);
    expect(lines.join('')).not.toMatch(/ada|geheim/u);
  });

  it('names only the services that do not answer', async () => {
    const [refusing, well] = [await freePort(), await answering()];
    expect(await linesOf(1, { services: configuredServices(environmentOf(well, refusing)) })).toEqual([
      `  Waiting for  Redis at 127.0.0.1:${refusing} (connection refused)`,
    ]);
  });

  it('prints the problem when every service answers', async () => {
    const well = await answering();
    const services = configuredServices(environmentOf(well, well));
    expect(await linesOf(1, { services, problem: () => 'worker: none is running' })).toEqual([
      '  Waiting for  worker: none is running',
    ]);
  });

  it('prints nothing when the work ends early, and passes its error on', async () => {
    const lines: string[] = [];
    const services = configuredServices(environmentOf(await freePort(), await freePort()));
    const failing = reportWaiting(Promise.reject(new Error('no')), {
      services,
      print: (line) => lines.push(line),
    });
    await expect(failing).rejects.toThrow('no');
    expect(lines).toEqual([]);
  });
});

describe('services', () => {
  it.each([
    [
      'postgres://db.example/x',
      'redis://[::1]',
      ['the database x at db.example:5432', 'Redis at [::1]:6379'],
    ],
    ['postgres://%2Fvar%2Frun%2Fpostgresql/x', 'rediss://cache:7000', ['Redis at cache:7000']],
    ['postgres:///x?host=/var/run/postgresql', undefined, []],
    [undefined, undefined, []],
  ])('of %s and %s', (DATABASE_URL, REDIS_URL, names) => {
    expect(configuredServices({ DATABASE_URL, REDIS_URL }).map(({ name }) => name)).toEqual(names);
  });

  it('answer before a user has signed in', async () => {
    const port = await answering();
    for (const service of configuredServices(environmentOf(port, port)))
      expect(await whyUnanswered(service)).toBeUndefined();
  });
});
