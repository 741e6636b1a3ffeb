import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** How often JSON is written from the whole document while `work` runs. */
async function timesSerialized(app: FastifyInstance, work: () => Promise<unknown>): Promise<number> {
  const document = app.swagger();
  const stringify = vi.spyOn(JSON, 'stringify');
  try {
    await work();
    return stringify.mock.calls.filter(([value]) => value === document).length;
  } finally {
    stringify.mockRestore();
  }
}

describe.each(['/api/openapi.json', '/api/docs/json'])('%s', (url) => {
  const send = (headers: Record<string, string> = {}) => api.app.inject({ url, headers });

  it('is serialized once, however often it is asked for', async () => {
    await send();
    const again = () =>
      Promise.all(['identity', 'gzip', 'zstd'].map((one) => send({ 'accept-encoding': one })));
    expect(await timesSerialized(api.app, again)).toBe(0);
  });

  it('is the same document in each encoding, with one tag', async () => {
    const [plain, compressed] = [await send(), await send({ 'accept-encoding': 'gzip' })];
    expect(plain.json()).toHaveProperty('openapi', '3.1.0');
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
    expect(compressed.headers.etag).toBe(plain.headers.etag);
    expect(plain.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      vary: expect.stringContaining('accept-encoding'),
    });
  });

  it('is 304 without a body for a client that has it', async () => {
    const { etag = '' } = (await send()).headers;
    const known = await send({ 'if-none-match': etag, 'accept-encoding': 'gzip' });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    expect(known.headers.etag).toBe(etag);
    expect((await send({ 'if-none-match': '"other"' })).statusCode).toBe(200);
  });
});
