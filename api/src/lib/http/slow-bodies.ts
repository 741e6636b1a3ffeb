import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface MinimumRate {
  everyMs: number;
  /** Bytes that a sender must send in that time. */
  minBytes: number;
}

/** Whether the client announced a body. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;

/**
 * Ends requests whose body arrives below a minimum rate (slow loris), regardless of their total duration. Received
 * bytes that wait to be read do not count against the sender.
 */
export function refuseSlowBodies(app: FastifyInstance, { everyMs, minBytes }: MinimumRate): void {
  function watch(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request;
    const { socket } = raw;
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const received = socket.bytesRead - seen;
      seen = socket.bytesRead;
      if (received >= minBytes || raw.readableLength > 0) return;
      // A refused upload was answered before its body, which is no longer needed.
      if (!reply.raw.headersSent) request.log.warn({ received, everyMs }, 'body too slow');
      raw.destroy();
    }, everyMs).unref();
    const stop = () => clearInterval(timer);
    raw.once('end', stop);
    raw.once('close', stop);
  }

  app.addHook('onRequest', async (request, reply) => {
    if (hasBody(request)) watch(request, reply);
  });
}
