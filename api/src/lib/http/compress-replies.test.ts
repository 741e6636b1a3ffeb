import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { form } from '../../testing/form.ts';
import { bySession, makeMember, makeOrganization } from '../../testing/accounts/member.ts';
import { bundle } from '../../testing/report.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { leastCompressed } from './compress-replies.ts';

let api: TestApi;
let owner: Record<string, string>;
let file: { _id: string };

beforeAll(async () => {
  api = await startApi();
  owner = (await bySession(api, await makeMember(api, await makeOrganization(api), 'owner'))).headers;
  const content = bundle('a long report '.repeat(leastCompressed));
  const { headers, payload } = form({ name: 'long.json', content });
  const uploaded = await send('/api/reports/upload', { method: 'POST', headers, payload });
  file = uploaded.json();
});
afterAll(() => api.close());

const send = (url: string, { headers, ...options }: InjectOptions = {}) =>
  api.app.inject({ url, headers: { ...owner, ...headers }, ...options });
const accepting = (encodings: string) => ({ headers: { 'accept-encoding': encodings } });

const document = '/api/openapi.json';

it.each([
  ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
  ['gzip, deflate, br', 'gzip', gunzipSync],
  ['zstd;q=0.5, gzip', 'gzip', gunzipSync],
])('a client that accepts %s receives %s', async (accepted, encoding, decompress) => {
  const [plain, compressed] = [await send(document), await send(document, accepting(accepted))];
  expect(compressed.headers).toMatchObject({
    'content-encoding': encoding,
    vary: expect.stringMatching(/accept-encoding/iu),
    'content-type': plain.headers['content-type'],
  });
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
  expect(decompress(compressed.rawPayload).toString()).toBe(plain.body);
});

it('HEAD names the length that GET has', async () => {
  const [get, head] = [
    await send(document, accepting('zstd')),
    await send(document, { method: 'HEAD', ...accepting('zstd') }),
  ];
  expect(head.headers['content-encoding']).toBe('zstd');
  expect(Number(head.headers['content-length'])).toBe(get.rawPayload.length);
});

it.each(['', 'identity', 'br', 'compress'])(
  'a client that accepts %j receives plain text',
  async (accepted) => {
    const { headers, body } = await send(document, accepting(accepted));
    expect(headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(body)).toHaveProperty('openapi');
  },
);

it.each(['/api/auth/me', '/api/jobs'])('a short reply is not compressed (%s)', async (url) => {
  const { headers, rawPayload } = await send(url, accepting('zstd'));
  expect(rawPayload.length).toBeLessThan(leastCompressed);
  expect(headers).not.toHaveProperty('content-encoding');
});

it.each(['', '/raw'])('the content of a file is sent as it is (%j)', async (path) => {
  const { statusCode, headers } = await send(`/api/reports/files/${file._id}${path}`, accepting('zstd'));
  expect(statusCode).toBe(200);
  expect(headers).not.toHaveProperty('content-encoding');
});

it('a compressed request is refused: its limits are of the bytes that are sent', async () => {
  const put = (encoding: string, payload: Buffer) =>
    send('/api/organization', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      payload,
    });
  const body = Buffer.from('{"name":"Harbour"}');
  const refused = await put('gzip', gzipSync(body));
  expect([refused.statusCode, refused.headers['accept-encoding']]).toEqual([415, 'identity']);
  expect(refused.json()).toMatchObject({ code: 'wrong_type', message: 'Send the body uncompressed.' });
  expect((await put('identity', body)).statusCode).toBe(200);
});
