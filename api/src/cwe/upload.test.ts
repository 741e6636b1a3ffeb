import { type AddressInfo, connect } from 'node:net';
import { catalogueMaxBytes, type ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { form } from '../testing/form.ts';
import { cookieHeader, type Person, signUp } from '../testing/person.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';

/** Current and maximum number of catalogues that are read concurrently. */
const readings = vi.hoisted(() => ({ now: 0, most: 0 }));
vi.mock('@riskboard/cwe', async (original) => {
  const real = await original<typeof import('@riskboard/cwe')>();
  const readCatalogue: typeof real.readCatalogue = async (file, fileName) => {
    readings.now += 1;
    readings.most = Math.max(readings.most, readings.now);
    try {
      return await real.readCatalogue(file, fileName);
    } finally {
      readings.now -= 1;
    }
  };
  return { ...real, readCatalogue };
});

/** Number of files whose bytes are or were received. */
const received = vi.hoisted(() => ({ files: 0 }));
vi.mock('../lib/upload/store-upload.ts', async (original) => {
  const real = await original<typeof import('../lib/upload/store-upload.ts')>();
  const storeUpload: typeof real.storeUpload = (...parameters) => {
    received.files += 1;
    return real.storeUpload(...parameters);
  };
  return { ...real, storeUpload };
});

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const catalogue = (version: string): string =>
  JSON.stringify({ ContentVersion: version, Weaknesses: [{ ID: '79', Name: 'x', Description: 'd' }] });
const body = form({ field: 'catalogueFile', name: 'catalogue.json', content: catalogue('88.1') });
const url = '/api/cwe/catalogue/upload';
const upload = (person: Person) => person.call({ method: 'POST', url, ...body });

describe('an uploaded catalogue', () => {
  it('is read one at a time, also of several organizations', async () => {
    const people = [await signUp(api), await signUp(api), await signUp(api)];
    const answers = await Promise.all(people.map(upload));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect(readings.most).toBe(1);
  });

  it('of slow senders delays no other one, of other organizations or of their own', async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as AddressInfo;
    const slow = await Promise.all(Array.from({ length: 9 }, () => signUp(api)));
    const before = received.files;
    const sockets = slow.map((person) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        [
          `POST ${url} HTTP/1.1`,
          `Host: 127.0.0.1:${port}`,
          `Origin: ${origin}`,
          `Cookie: ${cookieHeader(person.cookies)}`,
          `Content-Type: ${body.headers['content-type']}`,
          `Content-Length: ${body.payload.length}`,
          `\r\n${body.payload.subarray(0, -50).toString()}`,
        ].join('\r\n'),
      );
      return socket;
    });
    await vi.waitFor(() => expect(received.files).toBe(before + 9));
    for (const person of [await signUp(api), ...slow.slice(0, 1)])
      expect((await upload(person)).statusCode).toBe(201);
    for (const socket of sockets) socket.destroy();
  });

  it('leaves no content, whether it is accepted, refused or too large', async () => {
    const ada = await signUp(api);
    const send = (content: string | Buffer) =>
      ada.call({ method: 'POST', url, ...form({ field: 'catalogueFile', name: 'catalogue.json', content }) });
    expect((await send(catalogue('88.2'))).statusCode).toBe(201);
    expect((await send('{}')).statusCode).toBe(422);
    const answer = await send(Buffer.alloc(catalogueMaxBytes + 1, ' '));
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([
      413,
      'The file is too large; it may have at most 32 MiB.',
    ]);
    const { rows } = await asWorker(api, ada).inside((trx) =>
      sql<{ n: number }>`select count(*)::int as n from file_content`.execute(trx),
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
