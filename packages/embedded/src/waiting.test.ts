import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from './free-port.ts';
import { servicesOf, silenceOf } from './services.ts';
import { sayingWhy, type Waiting } from './waiting.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server that does this with whoever comes. @returns its port */
async function serverThat(greets: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    greets(socket);
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
  serverThat((socket) => socket.on('data', (bytes) => socket.write(bytes.length === 8 ? 'N' : '+PONG\r\n')));
const silent = () => serverThat(() => undefined);

const secrets = 'ada:geheim@';
const environmentOf = (database: number, redis: number) => ({
  DATABASE_URL: `postgres://${secrets}127.0.0.1:${database}/riskboard?sslkey=geheim`,
  REDIS_URL: `redis://${secrets}127.0.0.1:${redis}/0`,
});

/** What is said while something is waited for, until so many lines stand there. */
async function linesOf(count: number, waiting: Omit<Waiting, 'say'>): Promise<string[]> {
  const lines: string[] = [];
  const enough = Promise.withResolvers<string>();
  const say = (line: string) => {
    lines.push(line);
    if (lines.length === count) enough.resolve('done');
  };
  expect(await sayingWhy(enough.promise, { ...waiting, say }, { firstMs: 1, everyMs: 1 })).toBe('done');
  return lines;
}

describe('whoever waits for services', () => {
  it('reads which of them do not answer and why, again and again, and no secret of their addresses', async () => {
    const [refusing, hanging] = [await freePort(), await silent()];
    const line = `  Waiting for  the database at 127.0.0.1:${hanging} (no answer) and Redis at 127.0.0.1:${refusing} (connection refused)`;
    const lines = await linesOf(2, { services: servicesOf(environmentOf(hanging, refusing)) });
    expect(lines).toEqual([line, line]);
    expect(lines.join('')).not.toMatch(/ada|geheim/u);
  });

  it('reads only of those that do not', async () => {
    const [refusing, well] = [await freePort(), await answering()];
    expect(await linesOf(1, { services: servicesOf(environmentOf(well, refusing)) })).toEqual([
      `  Waiting for  Redis at 127.0.0.1:${refusing} (connection refused)`,
    ]);
  });

  it('reads what else it is when that lasts', async () => {
    const well = await answering();
    const services = servicesOf(environmentOf(well, well));
    expect(await linesOf(1, { services, problem: () => 'worker: none is running' })).toEqual([
      '  Waiting for  worker: none is running',
    ]);
  });

  it('reads nothing when the work is done before, and gets its error as it is', async () => {
    const lines: string[] = [];
    const services = servicesOf(environmentOf(await freePort(), await freePort()));
    const failing = sayingWhy(Promise.reject(new Error('no')), { services, say: (line) => lines.push(line) });
    await expect(failing).rejects.toThrow('no');
    expect(lines).toEqual([]);
  });
});

describe('services', () => {
  it.each([
    ['postgres://db.example/x', 'redis://[::1]', ['the database at db.example:5432', 'Redis at [::1]:6379']],
    ['postgres://%2Fvar%2Frun%2Fpostgresql/x', 'rediss://cache:7000', ['Redis at cache:7000']],
    ['postgres:///x?host=/var/run/postgresql', undefined, []],
    [undefined, undefined, []],
  ])('of %s and %s', (DATABASE_URL, REDIS_URL, names) => {
    expect(servicesOf({ DATABASE_URL, REDIS_URL }).map(({ name }) => name)).toEqual(names);
  });

  it('answer before anybody has signed in', async () => {
    const port = await answering();
    for (const service of servicesOf(environmentOf(port, port)))
      expect(await silenceOf(service)).toBeUndefined();
  });
});
