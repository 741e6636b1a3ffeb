import { ServerMessage } from '@riskboard/contract/schemas';
import type { Crowd } from './client.ts';
import type { SoakSession } from './session.ts';

interface Listener {
  client: number;
  session: SoakSession;
  /** A job that an event named: the client reads it afterwards. */
  onJob: (id: string) => void;
}

const reconnectMs = 500;

/** Node's client takes headers, which the type of browsers does not have. */
const open = (url: string, headers: Record<string, string>): WebSocket =>
  new (WebSocket as unknown as new (url: string, options: object) => WebSocket)(url, { headers });

/** Records the events of a client's socket, which reconnects until it is closed. */
export function listenForEvents(crowd: Crowd, { client, session, onJob }: Listener): { close(): void } {
  let isClosed = false;
  let socket: WebSocket | undefined;
  const received = (data: unknown): void => {
    const message = ServerMessage.parse(JSON.parse(String(data)));
    const at = crowd.now();
    if (message.type === 'job.updated') {
      const { _id: id, version } = message.job;
      crowd.write({ type: 'event', client, at, noun: 'job', id, version });
      onJob(id);
    }
    if (message.type !== 'vulnerability.changed') return;
    for (const id of message.ids ?? [])
      crowd.write({ type: 'event', client, at, noun: 'vulnerability', id, action: message.action });
  };
  const connect = (): void => {
    if (isClosed) return;
    const origin = session.origin();
    socket = open(`${origin.replace('http', 'ws')}/api/events`, { cookie: session.cookie(), origin });
    socket.addEventListener('message', ({ data }) => received(data));
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', () => setTimeout(connect, reconnectMs));
  };
  connect();
  return {
    close() {
      isClosed = true;
      socket?.close();
    },
  };
}
