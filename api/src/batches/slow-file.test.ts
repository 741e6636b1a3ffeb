import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, BatchFile } from '@riskboard/contract';
import { startProxy } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { form } from '../testing/form.ts';
import { cookieHeader, type Person, signUp } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';

const receivingNotedEveryMs = 50;
let api: TestApi;
let ada: Person;
let id: string;
beforeAll(async () => {
  api = await startApi({ receivingNotedEveryMs });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(async () => {
  ada = await signUp(api);
  id = (await ada.post('/api/batches', { files: 3 })).json<Batch>()._id;
  // An upload that is continued: nothing has arrived for a while.
  await pass(10);
});
afterAll(() => api.close());

const inside = <T>(query: ReturnType<typeof sql<T>>) =>
  asWorker(api, ada).inside(async (trx) => (await query.execute(trx)).rows);
const pass = (minutes: number) =>
  inside(sql`update batch set created_at = created_at - make_interval(mins => ${minutes}),
    receiving_at = receiving_at - make_interval(mins => ${minutes})`);
const get = async (): Promise<Batch> => (await ada.get(`/api/batches/${id}`)).json<Batch>();
const contents = async () => (await inside(sql`select from file_content`)).length;
const changes = () =>
  api.relay.published.filter(
    ({ topic, message }) =>
      topic.includes(ada.user.organizationId) &&
      (message as { type: string; ids?: string[] }).type === 'batch.changed',
  ).length;
const uploading = () => vi.waitFor(async () => expect(await get()).toMatchObject({ uploading: true }));

/** Two minutes after the bytes that have arrived; later ones are noted, too. */
const interrupted = () =>
  vi.waitFor(async () => {
    await pass(3);
    await sleep(2 * receivingNotedEveryMs);
    expect(await get()).toMatchObject({ status: 'receiving', uploading: false });
  });

/** Shorter than a chunk, so that nothing of it is stored before its end. */
const small = form({ name: 'slow.json', content: `{"type":"bundle","x":"${'y'.repeat(500_000)}"}` });
/** Several chunks. */
const large = form({ name: 'slow.json', content: `{"type":"bundle","x":"${'y'.repeat(4_000_000)}"}` });

interface Sending {
  /** Sends the next bytes, half of the body at first. */
  send: (bytes: number) => void;
  sendRest: () => void;
  answer: () => string;
  socket: Socket;
}

/** Sends the first half of a file of the batch to an api. */
async function begin({ payload, headers }: typeof small, to: TestApi = api): Promise<Sending> {
  const { port } = to.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString()));
  socket.on('error', () => undefined);
  socket.write(
    [
      `POST /api/reports/upload?batch=${id} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Origin: ${origin}`,
      `Cookie: ${cookieHeader(ada.cookies)}`,
      `Content-Type: ${headers['content-type']}`,
      `Content-Length: ${payload.length}`,
      '\r\n',
    ].join('\r\n'),
  );
  let at = 0;
  const send = (bytes: number): void => void socket.write(payload.subarray(at, (at += bytes)));
  send(Math.floor(payload.length / 2));
  return { send, sendRest: () => send(payload.length), answer: () => text, socket };
}

const accepted = ({ answer }: Sending) => vi.waitFor(() => expect(answer()).toContain('HTTP/1.1 201'));

describe('a batch that receives a slow file', () => {
  it.each([
    ['of less than a chunk', small],
    ['of several chunks', large],
  ])(
    '%s is being uploaded as long as bytes arrive, is interrupted while its client stalls, and open pages learn it',
    async (_what, body) => {
      expect(await get()).toMatchObject({ uploading: false, lastReceivedAt: null });
      const before = changes();
      const sending = await begin(body);
      await uploading();
      await vi.waitFor(() => expect(changes()).toBeGreaterThan(before));
      for (let n = 0; n < 2; n += 1) {
        await interrupted();
        sending.send(1000);
        await uploading();
      }
      sending.sendRest();
      await accepted(sending);
      expect(await get()).toMatchObject({ files: 1, uploading: true });
    },
  );

  it('whose client disconnects is being uploaded while that client may try again, and keeps nothing', async () => {
    const sending = await begin(large);
    await uploading();
    sending.socket.destroy();
    await vi.waitFor(async () => expect(await contents()).toBe(0));
    expect(await get()).toMatchObject({ files: 0, uploading: true });
    await interrupted();
    const again = await begin(large);
    await uploading();
    again.sendRest();
    await accepted(again);
    expect(await get()).toMatchObject({ files: 1, uploading: true });
  });

  it('whose api is killed is being uploaded while its client may try again at another api', async () => {
    const proxy = await startProxy(api.clone.url);
    const killed = await startApi(
      { receivingNotedEveryMs },
      { with: api, databaseUrl: (url) => proxy.through(url) },
    );
    onTestFinished(async () => {
      await killed.close();
      await proxy.close();
    });
    await killed.app.listen({ host: '127.0.0.1', port: 0 });
    const sending = await begin(large, killed);
    await uploading();
    await vi.waitFor(async () => expect(await contents()).toBe(1));
    // The database sees the same of a killed process: its connections end, and the content stays incomplete.
    await proxy.cut();
    sending.socket.destroy();
    expect(await get()).toMatchObject({ files: 0, uploading: true });
    await interrupted();
    const again = await begin(large);
    await uploading();
    again.sendRest();
    await accepted(again);
    expect(await get()).toMatchObject({ files: 1, uploading: true });
  });

  it('by several apis is shown by each of them, and one that stalls does not end it', async () => {
    const other = await startApi({ receivingNotedEveryMs }, { with: api });
    onTestFinished(() => other.close());
    await other.app.listen({ host: '127.0.0.1', port: 0 });
    const [stalled, sending] = [await begin(large), await begin(large, other)];
    await uploading();
    await interrupted();
    sending.send(1000);
    await uploading();
    const cookie = cookieHeader(ada.cookies);
    const seen = await other.app.inject({ url: `/api/batches/${id}`, headers: { cookie } });
    expect(seen.json()).toMatchObject({ uploading: true });
    stalled.socket.destroy();
    sending.sendRest();
    await accepted(sending);
  });

  it('that is refused has it as failed', async () => {
    const sending = await begin(form({ name: 'cats.json', content: 'meow '.repeat(100_000) }));
    await uploading();
    sending.sendRest();
    await vi.waitFor(() => expect(sending.answer()).toContain('HTTP/1.1 422'));
    expect(await get()).toMatchObject({ files: 1, uploading: true, states: { failed: 1 } });
    const { files } = (await ada.get(`/api/batches/${id}/files`)).json<{ files: BatchFile[] }>();
    expect((await get()).lastReceivedAt).toBe(files[0]?.receivedAt);
  });

  it('after it was closed for another client expects files again', async () => {
    const sending = await begin(large);
    await uploading();
    await interrupted();
    expect((await ada.post(`/api/batches/${id}/close`)).json()).toMatchObject({ status: 'finished' });
    sending.send(1000);
    await vi.waitFor(async () => expect(await get()).toMatchObject({ status: 'receiving', uploading: true }));
    sending.sendRest();
    await accepted(sending);
  });
});

it('a file that ends within the interval writes no more than the file', async () => {
  const quick = await startApi({}, { with: api });
  onTestFinished(() => quick.close());
  const { headers, payload } = form({ name: 'a.json', content: bundle() });
  const answer = await quick.app.inject({
    method: 'POST',
    url: `/api/reports/upload?batch=${id}`,
    headers: { ...headers, origin, cookie: cookieHeader(ada.cookies) },
    payload,
  });
  expect(answer.statusCode).toBe(201);
  expect(await inside(sql`select receiving_at from batch`)).toEqual([{ receiving_at: null }]);
});
