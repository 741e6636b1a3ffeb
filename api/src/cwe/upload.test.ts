import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { form } from '../testing/form.ts';
import { cookieHeader, type Person, signUp } from '../testing/person.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';

/** Current and maximum number of catalogues that are read concurrently. */
const readings = vi.hoisted(() => ({ now: 0, most: 0 }));
vi.mock('@riskboard/db', async (original) => {
  const real = await original<typeof import('@riskboard/db')>();
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
vi.mock('../lib/upload/read-upload.ts', async (original) => {
  const real = await original<typeof import('../lib/upload/read-upload.ts')>();
  const readUpload: typeof real.readUpload = (file, maxBytes) => {
    received.files += 1;
    return real.readUpload(file, maxBytes);
  };
  return { ...real, readUpload };
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

  it('of a sender who disconnected does not delay the next one of the organization', async () => {
    const ada = await signUp(api);
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const before = received.files;
    socket.write(
      [
        `POST ${url} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Origin: ${origin}`,
        `Cookie: ${cookieHeader(ada.cookies)}`,
        `Content-Type: ${body.headers['content-type']}`,
        `Content-Length: ${body.payload.length}`,
        `\r\n${body.payload.subarray(0, -50).toString()}`,
      ].join('\r\n'),
    );
    await vi.waitFor(() => expect(received.files).toBe(before + 1), 5000);
    const second = upload(ada);
    socket.destroy();
    expect((await second).statusCode).toBe(201);
  });
});
