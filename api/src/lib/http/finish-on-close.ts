import type { FastifyInstance } from 'fastify';

/** Milliseconds between looks for connections that have become idle. */
const lookEvery = 100;

/**
 * A process that ends answers what it has begun. Node waits for a connection whose request was under way, and then for
 * its keep-alive to run out; this closes it as soon as its answer is out.
 */
export function finishOnClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const timer = setInterval(() => app.server.closeIdleConnections(), lookEvery);
    app.server.once('close', () => clearInterval(timer));
  });
}
