import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { migrate } from './migrate.ts';

/** Answers every login as PostgreSQL refuses one (PostgreSQL, Message Formats: ErrorResponse). */
async function refusingServer(): Promise<string> {
  const fields = Buffer.from('SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0');
  const prefix = Buffer.from('E....');
  prefix.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([prefix, fields])));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `postgres://riskboard:x@127.0.0.1:${(server.address() as AddressInfo).port}/riskboard`;
}

it('waits while PostgreSQL is away, until it is asked to stop', async () => {
  const stop = new AbortController();
  const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() };
  log.warn.mockImplementation(() => stop.abort());
  // Nothing listens on the port that is reserved for tcpmux (RFC 1078).
  const away = migrate({ ownerUrl: 'postgres://riskboard@127.0.0.1:1/x' }, { log, signal: stop.signal });
  await expect(away).rejects.toMatchObject({ cause: { name: 'AbortError' } });
  expect(log.warn).toHaveBeenCalledOnce();
});

it.each([
  [{}, 'DATABASE_URL'],
  [{ appUrl: 'postgres://riskboard_app@127.0.0.1/x' }, 'DATABASE_OWNER_URL'],
])('a refused login ends with 78 and names the variable (%j)', async (logins, variable) => {
  await expect(migrate({ ownerUrl: await refusingServer(), ...logins })).rejects.toMatchObject({
    name: 'StartError',
    exitCode: 78,
    message: `Configuration: PostgreSQL refuses the login of ${variable}: password authentication failed`,
  });
});
