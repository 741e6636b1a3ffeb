import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { vignetteMaxBytes } from '@riskboard/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { form, type FormFile } from '../../testing/form.ts';
import { cookieHeader, type Person, signUp } from '../../testing/person.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';

/** A request that is never read has failed after this time. */
const often = { interval: 10 };
const maxBytes = 8_000_000;

let api: TestApi;
let ada: Person;
let socket: Socket;
let received: string;

async function connectTo({ app }: TestApi): Promise<void> {
  received = '';
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('data', (bytes) => (received += bytes.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
}

beforeAll(async () => {
  api = await startApi({ uploadMaxBytes: maxBytes });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(async () => {
  ada = await signUp(api);
  await connectTo(api);
});
afterEach(() => socket.destroy());
afterAll(() => api.close());

function head(start: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: '127.0.0.1', origin, ...headers });
  return [start, ...lines.map(([name, value]) => `${name}: ${value}`), '\r\n'].join('\r\n');
}

/** Sends the headers of an upload. */
function begin(url: string, headers: Record<string, string>): void {
  socket.write(head(`POST ${url} HTTP/1.1`, { cookie: cookieHeader(ada.cookies), ...headers }));
}

/** The number of replies so far, each with its headers and body. */
const replies = (): string[] => received.split(/(?=HTTP\/1\.1 )/u).filter((reply) => reply.endsWith('}'));
const reply = (n: number): Promise<string> =>
  vi.waitFor(() => {
    const found = replies()[n];
    if (found === undefined) throw new Error(`no reply ${n + 1} in: ${received}`);
    return found;
  }, often);

const closed = (): Promise<unknown> =>
  vi.waitFor(() => expect(socket.readableEnded || socket.destroyed).toBe(true), often);

const file = (field: string, name: string, content: string | Buffer = 'x'.repeat(2_000_000)): FormFile => ({
  field,
  name,
  content,
});
const unknownId = '01890000-0000-7000-8000-000000000000';

describe('the next request of a connection is answered after a refused upload', () => {
  it.each<[status: number, what: string, url: string, ...files: FormFile[]]>([
    [415, 'a spreadsheet', '/api/imports?noun=assets', file('csvFile', 'd.xlsx')],
    [422, 'too many cells', '/api/imports?noun=assets', file('csvFile', 'd.csv', ','.repeat(2_000_000))],
    [422, 'an import of an unknown noun', '/api/imports?noun=x', file('csvFile', 'd.csv')],
    [422, 'a CSV file in another field', '/api/imports?noun=assets', file('other', 'd.csv')],
    [422, 'a report in another field', '/api/reports/upload', file('other', 'd.json')],
    [422, 'a file that is no report', '/api/reports/upload', file('stixFile', 'd.json')],
    [415, 'a PDF file as report', '/api/reports/upload', file('stixFile', 'd.pdf')],
    [
      404,
      'a report of an unknown batch',
      `/api/reports/upload?batch=${unknownId}`,
      file('stixFile', 'd.json'),
    ],
    [415, 'a text as vignette', '/api/reports/upload-vignette', file('vignetteFile', 'd.txt')],
    [
      413,
      'a vignette that is too large',
      '/api/reports/upload-vignette',
      file('vignetteFile', 'd.json', 'x'.repeat(4 * vignetteMaxBytes)),
    ],
    [415, 'a PDF file as catalogue', '/api/cwe/catalogue/upload', file('catalogueFile', 'd.pdf')],
    [422, 'a file that is no catalogue', '/api/cwe/catalogue/upload', file('catalogueFile', 'd.xml')],
    [
      422,
      'a second file',
      '/api/reports/upload',
      file('stixFile', 'd.json', '{"type":"bundle"}'),
      file('b', 'b'),
    ],
    [404, 'an upload to an unknown address', '/api/unknown', file('stixFile', 'd.json')],
  ])('with %s: %s', async (status, _what, url, ...files) => {
    const { headers, payload } = form(...files);
    begin(url, { ...headers, 'content-length': String(payload.length) });
    socket.write(payload);
    const refused = await reply(0);
    expect(refused).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
    expect(refused).not.toMatch(/^connection: close/imu);
    socket.write(head('GET /api/health/live HTTP/1.1', {}));
    expect(await reply(1)).toMatch(/^HTTP\/1\.1 200 /u);
  });

  it.each([
    [401, async () => ada.cookies.clear()],
    [403, () => ada.becomes('viewer')],
  ])('with %i, before the body is read', async (status, happens) => {
    await happens();
    const { headers, payload } = form(file('stixFile', 'd.json'));
    begin('/api/reports/upload', { ...headers, 'content-length': String(payload.length) });
    expect(await reply(0)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
    socket.write(payload);
    socket.write(head('GET /api/health/live HTTP/1.1', {}));
    expect(await reply(1)).toMatch(/^HTTP\/1\.1 200 /u);
  });
});

describe('the connection of a refused upload is closed after its reply', () => {
  const refused = /^HTTP\/1\.1 415 [^]*Only \.json and \.xml/u;
  const { headers, payload } = form(file('stixFile', 'd.pdf', 'x'.repeat(2 * maxBytes)));
  /** Less than what both ends of a connection buffer. */
  const beginning = payload.subarray(0, 100_000);

  it('when the body is longer than an upload may be', async () => {
    begin('/api/reports/upload', { ...headers, 'content-length': String(payload.length) });
    socket.write(payload);
    const answer = await reply(0);
    expect(answer).toMatch(refused);
    expect(answer).toMatch(/^connection: close/imu);
    await closed();
  });

  it('when the body has no declared length', async () => {
    begin('/api/reports/upload', { ...headers, 'transfer-encoding': 'chunked' });
    socket.write(`${beginning.length.toString(16)}\r\n`);
    socket.write(beginning);
    const answer = await reply(0);
    expect(answer).toMatch(refused);
    expect(answer).toMatch(/^connection: close/imu);
    expect(socket.readableEnded).toBe(false);
    socket.write('\r\n0\r\n\r\n');
    await closed();
  });

  it('when the sender stops', async () => {
    const hasty = await startApi({ unreadWithinMs: 100 }, { with: api });
    onTestFinished(() => hasty.close());
    await hasty.app.listen({ host: '127.0.0.1', port: 0 });
    socket.destroy();
    await connectTo(hasty);
    begin('/api/reports/upload', { ...headers, 'content-length': '2000000' });
    socket.write(beginning);
    expect(await reply(0)).toMatch(refused);
    await closed();
  });
});
