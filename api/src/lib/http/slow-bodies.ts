import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface Pace {
  everyMs: number;
  /** Bytes that a sender must bring in that time. */
  leastBytes: number;
}

/**
 * Cuts off senders that trickle: an upload may take as long as it needs, but not stand still (slow loris).
 * Bytes that wait for us to read them are our slowness, not theirs.
 */
export function refuseSlowBodies(app: FastifyInstance, { everyMs, leastBytes }: Pace): void {
  function watch(request: FastifyRequest): void {
    const { raw } = request;
    const { socket } = raw;
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const brought = socket.bytesRead - seen;
      seen = socket.bytesRead;
      if (brought >= leastBytes || raw.readableLength > 0) return;
      request.log.warn({ brought, everyMs }, 'body too slow');
      raw.destroy();
    }, everyMs).unref();
    const stop = () => clearInterval(timer);
    raw.once('end', stop);
    raw.once('close', stop);
  }

  app.addHook('onRequest', async (request) => {
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
    if (hasBody) watch(request);
  });
}
