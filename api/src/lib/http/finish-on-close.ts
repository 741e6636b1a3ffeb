import type { FastifyInstance } from 'fastify';

/** Milliseconds between checks for idle connections. */
const intervalMs = 100;

/**
 * Lets running requests finish on shutdown. Node waits for the keep-alive timeout of their connections; this closes
 * them as soon as the reply is sent.
 */
export function finishOnClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const timer = setInterval(() => app.server.closeIdleConnections(), intervalMs);
    app.server.once('close', () => clearInterval(timer));
  });
}
