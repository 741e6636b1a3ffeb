import type { ErrorReply } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(() => {
  Object.assign(api.producer, { down: false, alive: 1 });
});
afterAll(() => api.close());

const ready = () => visitor(api).get('/api/health/ready');

it('liveness does not depend on database, queue or workers', async () => {
  api.producer.down = true;
  expect((await visitor(api).get('/api/health/live')).json()).toEqual({ live: true });
});

it('readiness is 200 when database, queue and a worker answer', async () => {
  const parts = ['database', 'queue', 'worker'].map((name) => ({ name, ok: true }));
  expect((await ready()).json()).toEqual({ ready: true, parts });
});

it('readiness names a missing worker', async () => {
  api.producer.alive = 0;
  const answer = await ready();
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('2');
  expect(answer.json<ErrorReply>().details).toEqual([{ path: 'worker', message: 'none is running' }]);
});

it('readiness names a failing queue', async () => {
  api.producer.down = true;
  const { message, details } = (await ready()).json<ErrorReply>();
  expect(message).toBe('Not ready. queue: not reachable; worker: not reachable.');
  expect(details?.map((part) => part.path)).toEqual(['queue', 'worker']);
});

it('readiness names a part that does not answer in time', async () => {
  const silent = await startApi({}, { with: api });
  silent.producer.port.ping = () => new Promise(() => undefined);
  const answer = await visitor(silent).get('/api/health/ready');
  expect(answer.json<ErrorReply>().details).toEqual([{ path: 'queue', message: 'no answer in time' }]);
  await silent.close();
});
