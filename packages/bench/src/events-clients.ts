/** Browsers of the benchmark `events`: sockets to the product and to the plain server. Started by events.ts. */
import { once } from 'node:events';
import type { ServerMessage } from '@riskboard/contract';
import { WebSocket } from 'ws';
import { clock, type Request, type Side } from './events-messages.ts';

interface Client {
  socket: WebSocket;
  address: string;
  token: string;
  versions: Map<string, number>;
}

const clients: Record<Side, Client[]> = { product: [], floor: [] };
const latencies: Record<Side, number[]> = { product: [], floor: [] };
let closed = 0;
let expected = new Set<Client>();

function receive(side: Side, client: Client, text: string, ready: () => void): void {
  const message = JSON.parse(text) as ServerMessage;
  if (message.type === 'snapshot') return ready();
  if (message.type !== 'job.updated') return;
  const { _id, version, progress } = message.job;
  latencies[side].push(clock() - progress.total / 1000);
  client.versions.set(_id, version);
}

/** Resolves when the plain server has accepted the client, or the product has sent its snapshot. */
async function connect(side: Side, address: string, token: string): Promise<Client> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(address, {
    perMessageDeflate: false,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  const client: Client = { socket, address, token, versions: new Map() };
  socket.on('message', (data: Buffer) => receive(side, client, String(data), resolve));
  socket.on('error', reject);
  socket.on('close', () => {
    if (!expected.has(client)) closed += 1;
    reject(new Error('The socket was closed.'));
  });
  if (side === 'floor') socket.on('open', () => resolve());
  await promise;
  return client;
}

const work: { [T in Request['type']]: (request: Extract<Request, { type: T }>) => Promise<unknown> } = {
  async open({ side, count, addresses, tokens }) {
    const known = clients[side];
    while (known.length < count) {
      const from = known.length;
      const more = Array.from({ length: Math.min(50, count - from) }, (_, n) =>
        connect(
          side,
          addresses[(from + n) % addresses.length] ?? '',
          tokens[(from + n) % tokens.length] ?? '',
        ),
      );
      known.push(...(await Promise.all(more)));
    }
    return known.length;
  },
  async report({ side }) {
    return latencies[side].splice(0);
  },
  async reconnect({ count }) {
    const broken = clients.product.splice(0, count);
    expected = new Set(broken);
    const ended = broken.map(({ socket }) => once(socket, 'close'));
    for (const { socket } of broken) socket.terminate();
    await Promise.all(ended);
    const began = clock();
    const again = await Promise.all(broken.map(({ address, token }) => connect('product', address, token)));
    clients.product.push(...again);
    return clock() - began;
  },
  async state({ version }) {
    const known = clients.product.map(
      ({ versions }) => [...versions.values()].filter((one) => one >= version).length,
    );
    return { jobs: Math.min(...known), closed };
  },
};

process.on('message', (request: Request) => {
  const run = work[request.type] as (given: Request) => Promise<unknown>;
  run(request).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ answer: 'started' });
