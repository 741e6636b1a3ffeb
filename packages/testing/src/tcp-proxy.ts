import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a real server, with faults that a test can cause. */
export interface TcpProxy {
  /** The same URL with the proxy's host and port. */
  through(url: string): string;
  /** Ends every connection and refuses new ones: the server is down. */
  cut(): Promise<void>;
  /** Accepts connections and bytes but forwards nothing. */
  freeze(): void;
  /** Existing connections never forward again, new ones work: like a firewall that lost its table. */
  dropSilently(): void;
  /** New connections lead to the server of this URL, existing ones stay where they are: a failover. */
  redirect(url: string): void;
  /** Forwards every byte this much later, in both directions. */
  delay(milliseconds: number): void;
  /** Forwards at most this many bytes per second on each connection, in each direction. */
  throttle(bytesPerSecond: number): void;
  /** Forwards again, at once; bytes accepted while frozen are lost with their connections. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const dropped = new WeakSet<Socket>();
  let frozen = false;
  let ownPort = 0;
  let delayMs = 0;
  let bytesPerMs = Infinity;

  const passes = (socket: Socket): boolean => !frozen && !dropped.has(socket);
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
      /** When the line is free again, by performance.now(). */
      let freeAt = 0;
      const later = (bytes: number, work: () => void): void => {
        const now = performance.now();
        freeAt = Math.max(now, freeAt) + bytes / bytesPerMs;
        const waitMs = freeAt + delayMs - now;
        if (waitMs <= 0) work();
        else setTimeout(work, waitMs);
      };
      from.on('data', (bytes) =>
        later(bytes.length, () => {
          if (passes(from)) to.write(bytes);
        }),
      );
      from.on('close', () =>
        later(0, () => {
          if (passes(from)) to.destroy();
        }),
      );
    }
  });
  const listen = async (): Promise<void> => {
    for (let attempt = 1; !server.listening; attempt += 1) {
      server.listen(ownPort, '127.0.0.1');
      // A connection of another process may have this port for a while.
      await once(server, 'listening').catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE' || attempt === 50) throw error;
        await sleep(200);
      });
    }
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
    dropSilently() {
      for (const socket of sockets) dropped.add(socket);
    },
    redirect(url) {
      ({ hostname, port } = new URL(url));
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    throttle(bytesPerSecond) {
      bytesPerMs = bytesPerSecond / 1000;
    },
    async restore() {
      delayMs = 0;
      bytesPerMs = Infinity;
      if (frozen) drop();
      frozen = false;
      if (!server.listening) await listen();
    },
    async close() {
      await stop();
    },
  };
}
