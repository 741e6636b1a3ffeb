import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { chunkBytes } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asWorker } from '../../testing/fakes/as-worker.ts';
import { form } from '../../testing/form.ts';
import { cookieHeader, type Person, signUp } from '../../testing/person.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';

const pace = { everyMs: 300, minBytes: 1000 };
let api: TestApi;
let ada: Person;
let port: number;
const lines: string[] = [];
beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(line) };
  api = await startApi({ minimumRates: { form: pace }, logLevel: 'info', logTo });
  ada = await signUp(api);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.app.server.address() as AddressInfo).port;
});
afterAll(() => api.close());

const body = form({ name: 'large.json', content: `{"type":"bundle","x":"${'y'.repeat(4_000_000)}"}` });

/** A connection that has sent the headers of an upload, and the text that it receives. */
async function beginUpload(
  to: { port: number; person: Person; length: number } = { port, person: ada, length: body.payload.length },
): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(to.port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString()));
  socket.on('error', () => undefined);
  socket.write(
    [
      'POST /api/reports/upload HTTP/1.1',
      `Host: 127.0.0.1:${to.port}`,
      `Origin: ${origin}`,
      `Cookie: ${cookieHeader(to.person.cookies)}`,
      `Content-Type: ${body.headers['content-type']}`,
      `Content-Length: ${to.length}`,
      '\r\n',
    ].join('\r\n'),
  );
  return { socket, heard: () => text };
}

async function stored(): Promise<{ contents: number; chunks: number; files: number }> {
  const { rows } = await asWorker(api, ada).inside((trx) =>
    sql<{ contents: number; chunks: number; files: number }>`
      select (select count(*)::int from file_content) as contents, (select count(*)::int from file_chunk) as chunks,
        (select count(*)::int from report_file) as files`.execute(trx),
  );
  return rows[0] ?? { contents: -1, chunks: -1, files: -1 };
}
async function chunksOf(of: TestApi, person: Person): Promise<number> {
  const { rows } = await asWorker(of, person).inside((trx) =>
    sql<{ n: number }>`select count(*)::int as n from file_chunk`.execute(trx),
  );
  return rows[0]?.n ?? -1;
}
const nothing = { contents: 0, chunks: 0, files: 0 };

describe('an upload over a real connection', () => {
  it('leaves nothing when its sender disconnects', async () => {
    const { socket } = await beginUpload();
    socket.write(body.payload.subarray(0, body.payload.length / 2));
    await vi.waitFor(async () => expect((await stored()).chunks).toBeGreaterThan(0));
    socket.destroy();
    await vi.waitFor(async () => expect(await stored()).toEqual(nothing));
    const message = 'the client closed the connection before its request was complete';
    await vi.waitFor(() => expect(lines.join('')).toContain(message));
    // Not as if PostgreSQL or the queue had not answered.
    expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level > 30)).toEqual([]);
  });

  it('is cut off below the minimum rate, and leaves nothing', async () => {
    const { socket } = await beginUpload();
    // Not `once` of node:events, which fails where the connection is reset before it is closed.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(body.payload.subarray(0, 1_500_000));
    const drops = setInterval(() => socket.write('y'), 20);
    const before = performance.now();
    await closed;
    clearInterval(drops);
    expect(performance.now() - before).toBeLessThan(10 * pace.everyMs);
    await vi.waitFor(async () => expect(await stored()).toEqual(nothing));
  });

  it('may be slow above the minimum rate', async () => {
    const { socket, heard } = await beginUpload();
    const step = Math.ceil(body.payload.length / 8);
    for (let at = 0; at < body.payload.length; at += step) {
      socket.write(body.payload.subarray(at, at + step));
      await sleep(pace.everyMs / 2);
    }
    await vi.waitFor(() => expect(heard()).toContain('HTTP/1.1 201'));
    socket.destroy();
    await ada.delete('/api/reports/files/bulk', {
      ids: (await ada.get('/api/reports/files')).json<{ files: { _id: string }[] }>().files.map((f) => f._id),
    });
    expect(await stored()).toEqual(nothing);
  });

  it('that is refused receives the answer while it is still sending', async () => {
    const small = await startApi({ uploadMaxBytes: 100_000 });
    const eve = await signUp(small);
    await small.app.listen({ host: '127.0.0.1', port: 0 });
    const at = (small.app.server.address() as AddressInfo).port;
    const answer = await fetch(`http://127.0.0.1:${at}/api/reports/upload`, {
      method: 'POST',
      headers: { ...body.headers, origin, cookie: cookieHeader(eve.cookies) },
      body: new Uint8Array(body.payload),
    });
    expect(answer.status).toBe(413);
    await answer.arrayBuffer();
    await small.close();
  });

  it('is refused when the first byte too many comes after a whole chunk is stored', async () => {
    const even = await startApi({ uploadMaxBytes: chunkBytes });
    const eve = await signUp(even);
    await even.app.listen({ host: '127.0.0.1', port: 0 });
    const at = (even.app.server.address() as AddressInfo).port;
    const { payload } = form({ name: 'a.json', content: `{"type":"bundle"}`.padEnd(chunkBytes + 1) });
    const { socket, heard } = await beginUpload({ port: at, person: eve, length: payload.length });
    // What follows the content: a byte, a line end and the closing boundary.
    const tail = payload.length - payload.lastIndexOf('\r\n--') + 1;
    socket.write(payload.subarray(0, -tail));
    await vi.waitFor(async () => expect(await chunksOf(even, eve)).toBe(1));
    socket.write(payload.subarray(-tail));
    await vi.waitFor(() => expect(heard()).toContain('HTTP/1.1 413'));
    expect(await chunksOf(even, eve)).toBe(0);
    socket.destroy();
    await even.close();
  });

  it('that is running at shutdown is finished first', async () => {
    const other = await startApi({}, { with: api });
    await other.app.listen({ host: '127.0.0.1', port: 0 });
    const { port: at } = other.app.server.address() as AddressInfo;
    const { promise: rest, resolve: send } = Promise.withResolvers<void>();
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new Uint8Array(body.payload.subarray(0, 2_000_000)));
        await rest;
        controller.enqueue(new Uint8Array(body.payload.subarray(2_000_000)));
        controller.close();
      },
    });
    const answer = fetch(`http://127.0.0.1:${at}/api/reports/upload`, {
      method: 'POST',
      headers: { ...body.headers, origin, cookie: cookieHeader(ada.cookies) },
      body: stream,
      duplex: 'half',
    });
    await vi.waitFor(async () => expect((await stored()).chunks).toBeGreaterThan(0));
    const closed = other.close();
    send();
    expect((await answer).status).toBe(201);
    const before = performance.now();
    await closed;
    expect(performance.now() - before).toBeLessThan(3000);
  });
});
