import { afterAll, beforeAll, expect, it } from 'vitest';
import { password, type Person, signUp } from '../../testing/person.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

it.each([
  ['our origin', 200, { origin }],
  ['our page, by the site', 200, { origin: undefined, 'sec-fetch-site': 'same-origin' }],
  ['another origin', 403, { origin: 'https://evil.example' }],
  ['another page of the site', 403, { origin: undefined, 'sec-fetch-site': 'same-site' }],
  ['no page', 403, { origin: undefined, 'sec-fetch-site': 'none' }],
  ['a client that names neither', 403, { origin: undefined }],
])('a write by cookie from %s gets %i', async (_from, status, headers) => {
  const body = { firstName: 'Ada', lastName: 'Lovelace' };
  const answer = await ada.call({ method: 'PUT', url: '/api/auth/me', headers, body });
  expect(answer.statusCode).toBe(status);
});

it.each([
  ['/api/auth/logout', 'rb_session'],
  ['/api/auth/logout', 'rb_refresh'],
  ['/api/auth/refresh', 'rb_refresh'],
])('a write without a session check by cookie needs our origin: %s with %s', async (url, name) => {
  const person = await signUp(api);
  const cookie = `${name}=${person.cookies.get(name) ?? ''}`;
  const call = (headers: object) => api.app.inject({ method: 'POST', url, headers: { cookie, ...headers } });
  expect((await call({})).json()).toMatchObject({ statusCode: 403, code: 'foreign_origin' });
  expect((await person.get('/api/auth/me')).statusCode).toBe(200);
  expect((await call({ origin })).statusCode).not.toBe(403);
});

it('a client may log in without an origin, also with the cookie of a former session', async () => {
  const body = { email: ada.user.email, password };
  const cookie = `rb_session=${ada.cookies.get('rb_session') ?? ''}`;
  for (const headers of [{}, { cookie }])
    expect((await api.app.inject({ method: 'POST', url: '/api/auth/login', body, headers })).statusCode).toBe(
      200,
    );
});

it('a page that a person opens without a link may read', async () => {
  const headers = { origin: undefined, 'sec-fetch-site': 'none' } as never;
  const answer = await ada.call({ method: 'GET', url: '/api/auth/me', headers });
  expect(answer.statusCode).toBe(200);
});
