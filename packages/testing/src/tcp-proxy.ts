import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A network that a test can break, in front of a real server. */
export interface TcpProxy {
  /** The same URL, by way of the proxy. */
  through(url: string): string;
  /** Ends every connection and refuses new ones: the server is down. */
  cut(): Promise<void>;
  /** Takes connections and bytes and passes nothing on: a black hole. */
  freeze(): void;
  /** Present connections become black holes for ever, new ones work: a firewall that lost its table. */
  forget(): void;
  /** Lets everything through again; what was taken while frozen is lost with its connections. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let frozen = false;
  let ownPort = 0;

  const passes = (socket: Socket): boolean => !frozen && !forgotten.has(socket);
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      track(from);
      from.on('data', (bytes) => {
        if (passes(from)) to.write(bytes);
      });
      from.on('close', () => {
        if (passes(from)) to.destroy();
      });
    }
  });
  const listen = async (): Promise<void> => {
    server.listen(ownPort, '127.0.0.1');
    await once(server, 'listening');
    ownPort = (server.address() as AddressInfo).port;
  };
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async (): Promise<void> => {
    if (!server.listening) return drop();
    const closed = once(server, 'close');
    server.close();
    drop();
    await closed;
  };
  await listen();

  return {
    through(url) {
      const proxied = new URL(url);
      proxied.hostname = '127.0.0.1';
      proxied.port = String(ownPort);
      return proxied.href;
    },
    cut: stop,
    freeze() {
      frozen = true;
    },
    forget() {
      for (const socket of sockets) forgotten.add(socket);
    },
    async heal() {
      if (frozen) drop();
      frozen = false;
      if (!server.listening) await listen();
    },
    async close() {
      await stop();
    },
  };
}
