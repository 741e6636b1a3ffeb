import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Listens briefly. @returns the port, or the error code */
export function tryPort(port: number, host: string): Promise<{ port: number } | { code: string }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? 'unknown' }));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const listening = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve({ port: listening }));
    });
  });
}

/** Below the ports that systems give to outgoing connections: one of those could be taken before the caller listens. */
const listened = { from: 20_000, to: 32_000 } as const;
const attempts = 20;

/** A free port on 127.0.0.1: the preferred one if it is free. */
export async function freePort(preferred = 0): Promise<number> {
  const random = Array.from({ length: attempts }, () => randomInt(listened.from, listened.to));
  for (const port of preferred === 0 ? random : [preferred, ...random]) {
    const found = await tryPort(port, '127.0.0.1');
    if ('port' in found) return found.port;
  }
  const any = await tryPort(0, '127.0.0.1');
  if ('port' in any) return any.port;
  throw new Error(`no free port on 127.0.0.1 (${any.code})`);
}
