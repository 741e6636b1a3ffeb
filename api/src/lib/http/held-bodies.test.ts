import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { form } from '../../testing/form.ts';
import { cookieHeader, type Person, signUp } from '../../testing/person.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';

const often = { interval: 10 };
const limits = { caller: 300_000, network: 500_000, process: 700_000 };
const pace = { everyMs: 300, minBytes: 1000, withinMs: 900 };

let api: TestApi;
let ada: Person;
let grace: Person;
const sockets: Socket[] = [];

beforeAll(async () => {
  api = await startApi({ heldBodyLimits: limits, trustedProxies: ['127.0.0.1'] });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(async () => {
  [ada, grace] = [await signUp(api), await signUp(api)];
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await counts(0);
});
afterAll(() => api.close());

interface Sent {
  reply(): Promise<string>;
  received(): string;
  write(text: string): void;
  end(): void;
  closed: Promise<unknown>;
}

/** Sends the headers of a request, and the beginning of its body. */
async function send(
  { app }: TestApi,
  headers: Record<string, string>,
  { method = 'POST', url = '/api/threats', body = '' } = {},
): Promise<Sent> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = Object.entries({ host: '127.0.0.1', origin, 'content-type': 'application/json', ...headers });
  socket.write(
    [`${method} ${url} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join(
      '\r\n',
    ),
  );
  return {
    closed,
    received: () => received,
    write: (text) => void socket.write(text),
    end: () => socket.destroy(),
    reply: () =>
      vi.waitFor(() => {
        if (!/^HTTP\/1\.1 \d+ [^]*\}/u.test(received)) throw new Error(`no reply in: ${received}`);
        return received;
      }, often),
  };
}

const counts = (bytes: number): Promise<void> =>
  vi.waitFor(() => expect(api.app.heldBodies.bytes).toBe(bytes), often);

/** A request of a person whose body does not end, and is counted. */
async function begin(person: Person, bytes: number, address = '10.0.0.1'): Promise<Sent> {
  const before = api.app.heldBodies.bytes;
  const sent = await send(
    api,
    {
      cookie: cookieHeader(person.cookies),
      'content-length': String(bytes),
      'x-forwarded-for': address,
    },
    { body: '{' },
  );
  await counts(before + bytes);
  return sent;
}

const threat = { name: 'Phishing', description: 'd' };

/** The status of a call with a body of some 90 kB. */
const status = async (person: Person, address: string): Promise<number> =>
  (
    await person.call({
      method: 'POST',
      url: '/api/threats',
      body: { ...threat, reference: 'x'.repeat(90_000) },
      headers: { 'x-forwarded-for': address },
      remoteAddress: '127.0.0.1',
    })
  ).statusCode;

/** Transactions that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`.execute(api.database.system);
  return rows[0]?.n ?? 0;
}

describe('bodies that arrive or whose request is not answered', () => {
  it('of one account are limited together, until their senders disconnect', async () => {
    const first = await begin(ada, 150_000);
    await begin(ada, 100_000);
    expect(await status(ada, '10.0.0.2')).toBe(429);
    expect(await status(grace, '10.0.0.1')).toBe(201);
    first.end();
    await counts(100_000);
    expect(await status(ada, '10.0.0.2')).toBe(201);
  });

  it('of one network are limited together, also those of public calls', async () => {
    await begin(ada, 250_000, '10.0.1.1');
    await begin(grace, 200_000, '10.0.1.1');
    expect(await status(grace, '10.0.1.1')).toBe(429);
    const login = await send(
      api,
      { 'content-length': '100000', 'x-forwarded-for': '10.0.1.1' },
      { url: '/api/auth/login', body: '{' },
    );
    expect(await login.reply()).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 5\r\n/iu);
    expect(await status(grace, '10.0.1.2')).toBe(201);
  });

  it('of all are limited in a process', async () => {
    const linus = await signUp(api);
    await begin(ada, 300_000, '10.0.2.1');
    await begin(grace, 300_000, '10.0.2.2');
    expect(await status(linus, '10.0.2.3')).toBe(201);
    await begin(linus, 60_000, '10.0.2.3');
    expect(await status(linus, '10.0.2.3')).toBe(503);
  });

  it('are counted as they arrive when their length is not known', async () => {
    const sent = await send(api, {
      cookie: cookieHeader(ada.cookies),
      'transfer-encoding': 'chunked',
      'x-forwarded-for': '10.0.3.1',
    });
    const chunk = 'x'.repeat(50_000);
    const write = () => sent.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    for (let n = 0; n < 6; n += 1) write();
    await counts(300_000);
    expect(await status(ada, '10.0.3.1')).toBe(429);
    write();
    expect(await sent.reply()).toMatch(/^HTTP\/1\.1 429 [^]*Too many large requests at once/u);
    sent.write('0\r\n\r\n');
    await counts(0);
    expect(await status(ada, '10.0.3.1')).toBe(201);
  });

  it('are counted while their handler runs, also after their client has disconnected', async () => {
    const { _id } = (await ada.post('/api/threats', threat)).json<{ _id: string }>();
    const text = 'x'.repeat(80_000);
    const body = JSON.stringify({ description: text, reference: text, mitigationStrategy: text });
    await api.database.app.transaction().execute(async (trx) => {
      await sql`select set_config('app.organization_id', ${ada.user.organizationId}, true)`.execute(trx);
      await sql`select from threat where id = ${_id} for update`.execute(trx);
      const headers = { cookie: cookieHeader(ada.cookies), 'content-length': String(body.length) };
      const sent = await send(api, headers, { method: 'PUT', url: `/api/threats/${_id}`, body });
      await vi.waitFor(async () => expect(await waiting()).toBe(1), often);
      sent.end();
      await sent.closed;
      await sleep(100);
      expect(api.app.heldBodies.bytes).toBe(body.length);
      expect(await status(ada, '10.0.4.1')).toBe(429);
    });
    await counts(0);
    expect(await status(ada, '10.0.4.1')).toBe(201);
  });

  it('are counted for a vignette while its file arrives', async () => {
    const file = { field: 'vignetteFile', name: 'v.json', content: ' '.repeat(300_000) };
    const { headers, payload } = form(file);
    await send(
      api,
      { cookie: cookieHeader(ada.cookies), 'content-length': String(payload.length), ...headers },
      { url: '/api/reports/upload-vignette', body: payload.subarray(0, 250_000).toString() },
    );
    await vi.waitFor(() => expect(api.app.heldBodies.bytes).toBeGreaterThan(220_000), often);
    expect(await status(ada, '10.0.5.1')).toBe(429);
  });

  it('are not counted for files that are stored as they arrive', async () => {
    const { headers, payload } = form({ name: 'large.json', content: 'x'.repeat(2_000_000) });
    await send(
      api,
      { cookie: cookieHeader(ada.cookies), 'content-length': String(payload.length), ...headers },
      { url: '/api/reports/upload', body: payload.subarray(0, 600_000).toString() },
    );
    expect(await status(ada, '10.0.5.1')).toBe(201);
  });
});

describe('a body that is not a form', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await startApi({ minimumRates: { other: pace } });
    await strict.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => strict.close());

  it.each([
    ['below the minimum rate', 10, 0],
    ['above it, but later than a body may', 200, pace.withinMs - 50],
  ])('is cut off %s', async (_when, bytes, least) => {
    const sent = await send(strict, { 'content-length': '100000' }, { url: '/api/auth/login', body: '{' });
    const before = performance.now();
    const drops = setInterval(() => sent.write(' '.repeat(bytes)), 20);
    await sent.closed;
    clearInterval(drops);
    expect(sent.received()).toBe('');
    expect(performance.now() - before).toBeGreaterThan(least);
    expect(performance.now() - before).toBeLessThan(10 * pace.everyMs);
  });
});
