import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { freePort } from './free-port.ts';

let server: Server | undefined;
afterEach(() => server?.close());

it('a free port is not one that the system gives to outgoing connections', async () => {
  for (let n = 0; n < 20; n += 1) expect(await freePort()).toBeLessThan(32_768);
});

it('the preferred port is taken when it is free, and another one when it is not', async () => {
  const preferred = await freePort();
  expect(await freePort(preferred)).toBe(preferred);
  const listening = createServer();
  server = listening;
  await new Promise<void>((resolve) => void listening.listen(preferred, '127.0.0.1', resolve));
  expect(await freePort(preferred)).not.toBe(preferred);
});
