import { createServer } from 'node:net';

/** Listens for a moment. @returns the port, or the code of the error that stands against it. */
export function tryPort(port: number, host: string): Promise<{ port: number } | { code: string }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? 'unknown' }));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve({ port: taken }));
    });
  });
}

/** A port on 127.0.0.1 that is free now: the wished one if it can be had. */
export async function freePort(wished = 0): Promise<number> {
  const first = await tryPort(wished, '127.0.0.1');
  if ('port' in first) return first.port;
  const any = await tryPort(0, '127.0.0.1');
  if ('port' in any) return any.port;
  throw new Error(`no port is free on 127.0.0.1 (${any.code})`);
}
