import { once } from 'node:events';
import { connect } from 'node:net';
import { sessionsEndedTopics } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { cookieHeader, type Person, signUp } from '../testing/person.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';
import { listen, openStream, refusal, type Stream } from '../testing/stream.ts';

const lines: string[] = [];
let api: TestApi;
let url: string;
let ada: Person;
beforeAll(async () => {
  api = await startApi({ logLevel: 'info', logTo: { write: (line) => void lines.push(line) } });
  url = await listen(api);
});
beforeEach(async () => {
  ada = await signUp(api);
  lines.length = 0;
});
afterAll(() => api.close());

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

async function opened(person: Person): Promise<Stream> {
  const stream = openStream(url, person);
  await stream.opened();
  return stream;
}

it('a person has at most 20 sockets; another person is not affected, and a closed one frees its slot', async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => opened(ada)));
  const headers = { origin, cookie: cookieHeader(ada.cookies) };
  expect(await refusal(url, headers)).toBe(429);
  const eve = await opened(await signUp(api));
  streams[0]?.socket.terminate();
  const again = await vi.waitFor(() => opened(ada));
  for (const { socket } of [...streams, eve, again]) socket.terminate();
});

it('the end of a socket is logged with its reason and its person', async () => {
  const stream = await opened(ada);
  stream.socket.close(1000);
  await vi.waitFor(() =>
    expect(logged().filter(({ msg }) => msg === 'event stream ended')).toMatchObject([
      { level: 30, code: 1000, reason: 'closed by the client', accountId: ada.user._id },
    ]),
  );
});

it('a socket that closes while it waits for the relay leaves no subscription, also when the relay then fails', async () => {
  const { port } = api.relay;
  const { subscribe } = port;
  await vi.waitFor(() => expect(api.relay.subscriptions()).toBe(0));
  const requested = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const subscribed = Promise.withResolvers<void>();
  port.subscribe = async (pattern, handler) => {
    if (pattern === sessionsEndedTopics) throw new Error('The relay is away.');
    requested.resolve();
    await answered.promise;
    const unsubscribe = await subscribe(pattern, handler);
    subscribed.resolve();
    return unsubscribe;
  };
  try {
    const { socket } = openStream(url, ada);
    await Promise.all([once(socket, 'open'), requested.promise]);
    socket.terminate();
    await vi.waitFor(() => expect(logged().map(({ msg }) => msg)).toContain('event stream ended'));
    answered.resolve();
    await subscribed.promise;
    await vi.waitFor(() => expect(api.relay.subscriptions()).toBe(0));
  } finally {
    port.subscribe = subscribe;
  }
});

/** Bytes of a client frame: text that is not UTF-8, a reserved opcode, a frame without a mask (RFC 6455, 5.1 and 8.1). */
it.each([
  ['text that is not UTF-8', [0x81, 0x81, 0, 0, 0, 0, 0xff], 'WS_ERR_INVALID_UTF8'],
  ['a reserved opcode', [0x83, 0x80, 0, 0, 0, 0], 'WS_ERR_INVALID_OPCODE'],
  ['a frame without a mask', [0x81, 0x01, 0x61], 'WS_ERR_EXPECTED_MASK'],
])(
  '%s ends the socket and is logged as one line below error, without a stack',
  async (_what, frame, reason) => {
    const { hostname, port } = new URL(url);
    const raw = connect(Number(port), hostname);
    raw.on('error', () => undefined);
    const head = [
      'GET /api/events HTTP/1.1',
      `Host: ${hostname}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      `Origin: ${origin}`,
      `Cookie: ${cookieHeader(ada.cookies)}`,
    ];
    raw.write(`${head.join('\r\n')}\r\n\r\n`);
    await vi.waitFor(() => expect(raw.bytesRead).toBeGreaterThan(0));
    raw.write(Uint8Array.from(frame));
    await vi.waitFor(() => expect(logged()).toContainEqual(expect.objectContaining({ reason })));
    expect(logged().filter(({ level }) => Number(level) >= 40)).toEqual([]);
    expect(lines.join('')).not.toMatch(/stack|at Receiver/u);
    raw.destroy();
  },
);
