import { gzipSync } from 'node:zlib';
import { ErrorReply } from '@riskboard/contract/schemas';
import { SlotsFull } from '@riskboard/db';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { form } from '../../testing/form.ts';
import { type Person, password, signUp, visitor } from '../../testing/person.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { toFailure } from './error-handler.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

const json = { 'content-type': 'application/json' };
const credentials = JSON.stringify({ email: 'a@example.org', password });

describe('an unreadable request', () => {
  it.each<[string, number, InjectOptions]>([
    ['JSON cut short', 400, { headers: json, payload: '{"email":' }],
    ['an empty JSON body', 400, { headers: json, payload: '' }],
    ['a prototype in JSON', 400, { headers: json, payload: '{"__proto__":{"role":"owner"}}' }],
    ['text/plain', 415, { headers: { 'content-type': 'text/plain' }, payload: credentials }],
    ['a form', 415, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'email=a' }],
    ['XML', 415, { headers: { 'content-type': 'application/xml' }, payload: '<a/>' }],
    [
      'a compressed body',
      415,
      { headers: { ...json, 'content-encoding': 'gzip' }, payload: gzipSync(credentials) },
    ],
    ['JSON in Latin-1', 400, { headers: json, payload: Buffer.from('{"email":"M\xfcller"}', 'latin1') }],
    [
      'JSON in UTF-16',
      415,
      {
        headers: { 'content-type': 'application/json; charset=utf-16' },
        payload: Buffer.from(credentials, 'utf16le'),
      },
    ],
    ['a body beyond 128 KiB', 413, { headers: json, payload: `"${'x'.repeat(128 * 1024)}"` }],
    ['no body at all', 422, {}],
    ['a list instead of an object', 422, { headers: json, payload: '[]' }],
  ])('%s is %i', async (_what, status, options) => {
    const answer = await visitor(api).call({ method: 'POST', url: '/api/auth/login', ...options });
    expect(answer.statusCode).toBe(status);
    expect(ErrorReply.safeParse(answer.json()).success).toBe(true);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['PUT', '/api/auth/me', 415],
    ['POST', '/api/batches', 415],
    ['POST', '/api/projects', 415],
    ['POST', '/api/nothing', 404],
  ] as const)('%s %s with a multipart form is %i', async (method, url, status) => {
    const answer = await ada.call({ method, url, ...form({ name: 'a.json', content: '{}' }) });
    expect(answer.statusCode).toBe(status);
    if (status === 415) expect(answer.json()).toMatchObject({ message: 'Send application/json.' });
  });

  it.each(['/api/jobs/%zz', '/api/%c3%28', '/api/jobs/%'])('%s is 400', async (url) => {
    const answer = await ada.get(url);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'malformed', requestId: expect.any(String) });
  });

  it.each(['\ud800', 'a\udfffb'])('with a lone surrogate, %j, is 422 and changes nothing', async (half) => {
    // Sent as an escape, as JSON.stringify writes it.
    const answer = await ada.call({ method: 'PUT', url: '/api/auth/me', body: { firstName: half } });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code: 'invalid', message: 'Text must be valid Unicode.' });
    expect((await ada.get('/api/auth/me')).json()).toEqual({ user: ada.user });
  });

  it.each<[string, number, string]>([
    ['a body beyond 1 MiB', 413, 'x'.repeat(1024 * 1024)],
    ['a text of 100 KiB', 422, 'x'.repeat(100 * 1024)],
  ])('with a session: %s is %i', async (_what, status, firstName) => {
    const answer = await ada.call({ method: 'PUT', url: '/api/auth/me', body: { firstName } });
    expect(answer.statusCode).toBe(status);
  });

  it('with more values than any endpoint takes is 422 before they are validated', async () => {
    const ids = Array.from({ length: 100_000 }, () => 0);
    const answer = await ada.delete('/api/reports/files/bulk', { ids });
    expect(answer.json()).toMatchObject({
      code: 'invalid',
      details: [{ path: '', message: 'Send at most 50,000 values.' }],
    });
  });

  it('is answered with the field and the reason only', async () => {
    const answer = await visitor(api).post('/api/auth/signup', { email: 7, password: 'x', extra: 1 });
    expect(answer.statusCode).toBe(422);
    const { details, ...reply } = answer.json<ErrorReply>();
    expect(details?.map((issue) => issue.path)).toEqual(['email', 'password', 'firstName']);
    expect(reply).toMatchObject({ statusCode: 422, code: 'invalid', error: 'Unprocessable Entity' });
    expect(reply.message).toBe(details?.[0]?.message);
  });

  it('is answered with a readable message', async () => {
    const answer = await ada.post('/api/threats', { name: 'Phishing', riskLevel: '50' });
    expect(answer.json<ErrorReply>().details).toEqual([
      { path: 'description', message: 'This is required.' },
      { path: 'riskLevel', message: 'Enter a number from 0 to 100.' },
    ]);
  });

  it('is answered with each unknown name and its path', async () => {
    const unknown = (path: string, name = path) => ({ path, message: `Unknown: ${name}.` });
    const listed = await ada.get('/api/vulnerabilities?severty=critical&foo=1');
    expect(listed.json()).toMatchObject({
      message: 'Unknown: severty, foo.',
      details: [unknown('severty'), unknown('foo')],
    });
    const filter = { severty: ['critical'] };
    const deleted = await ada.delete('/api/vulnerabilities/bulk', { filter });
    expect(deleted.json<ErrorReply>().details).toEqual([unknown('filter.severty', 'severty')]);
  });

  it('is answered with the index of a field inside a list', async () => {
    const answer = await ada.delete('/api/reports/files/bulk', { ids: [crypto.randomUUID(), 'x'] });
    expect(answer.json<ErrorReply>().details?.[0]?.path).toBe('ids.1');
  });
});

describe('an unknown URL', () => {
  it.each(['/api/nothing', '/api', '/api/auth', '/assets/app.js', '/favicon.ico'])(
    '%s is 404',
    async (url) => {
      const answer = await ada.get(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'not_found' });
    },
  );

  it("gets a new request id, never the client's", async () => {
    const ask = () => ada.call({ method: 'GET', url: '/api/nothing', headers: { 'request-id': 'mine' } });
    const [one, two] = [await ask(), await ask()].map((answer) => answer.json<ErrorReply>().requestId);
    expect(one).not.toBe(two);
    expect([one, two]).not.toContain('mine');
  });
});

it('a request beyond the queue of its organization is 503 and says when to try again', () => {
  const failure = toFailure(new SlotsFull('an organization'));
  expect(failure).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '5' } });
  expect(failure?.message).toContain('Too many requests of your organization');
});

it('an unexpected error is 500 without details', async () => {
  const broken = await startApi({}, { with: api });
  broken.database.system.selectFrom = () => {
    throw new Error('a secret of the inside');
  };
  const answer = await visitor(broken).post('/api/auth/login', { email: 'a@example.org', password });
  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toMatchObject({ code: 'internal', message: 'An unexpected error occurred.' });
  expect(answer.body).not.toContain('secret');
  await broken.close();
});
