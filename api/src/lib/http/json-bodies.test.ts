import type { ErrorReply } from '@riskboard/contract/schemas';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Person, signUp } from '../../testing/person.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

const send = (method: 'POST' | 'PUT', url: string, payload: string) =>
  ada.call({ method, url, payload, headers: { 'content-type': 'application/json' } });

it.each(['null', ' null ', '[]'])('%j where an object is documented is 422', async (body) => {
  const made = await ada.post('/api/threats', { name: 'Phish', description: 'x' });
  const threat = `/api/threats/${made.json<{ _id: string }>()._id}`;
  for (const [method, url] of [
    ['POST', '/api/batches'],
    ['POST', '/api/threats'],
    ['PUT', threat],
  ] as const) {
    const answer = await send(method, url, body);
    expect([url, answer.statusCode]).toEqual([url, 422]);
    expect(answer.json<ErrorReply>().message).toBe('Send a JSON object.');
  }
});

it('an empty body is accepted where all members are optional', async () => {
  expect((await send('POST', '/api/batches', '')).statusCode).toBe(201);
});
