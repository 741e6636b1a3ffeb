import type { AddressInfo, Server } from 'node:net';
import { Counter } from '@prometheus-io/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMetrics } from './metrics.ts';
import { serveMetrics } from './serve-metrics.ts';

const token = 'a token of the metrics, for this test'.replaceAll(' ', '-');
let server: Server;
beforeAll(async () => {
  const registry = openMetrics();
  new Counter({ name: 'riskboard_test_total', help: 'Test.', registers: [registry] }).inc(3);
  server = await serveMetrics(registry, { host: '127.0.0.1', port: 0, token });
});
afterAll(() => server.close());

const call = (path: string, authorization?: string) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    headers: authorization === undefined ? {} : { authorization },
  });

it('a worker serves its figures to the holder of the token', async () => {
  const answer = await call('/metrics', `Bearer ${token}`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  expect(text).toContain('\nriskboard_test_total 3\n');
  expect(text).toContain('process_resident_memory_bytes');
});

it.each([
  undefined,
  'Bearer',
  'Bearer wrong',
  `Basic ${token}`,
  `Bearer ${token}x`,
  `Bearer  ${token}`,
  token,
])('a worker refuses %j with 401 and no figures', async (authorization) => {
  const answer = await call('/metrics', authorization);
  expect(answer.status).toBe(401);
  expect(await answer.text()).toBe('');
});

it('a worker serves nothing else', async () => {
  expect((await call('/', `Bearer ${token}`)).status).toBe(404);
});
