import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface MinimumRate {
  everyMs: number;
  /** Bytes that a sender must send in that time. */
  minBytes: number;
  /** Milliseconds for the whole body; absent: no limit. */
  withinMs?: number;
}

/** Minimum rates of forms, whose files are streamed, and of other bodies, which are in memory while they arrive. */
export interface MinimumRates {
  form: MinimumRate;
  other: MinimumRate;
}

/** Uploads: 16 KiB in 20 s. Other bodies: 64 KiB in 20 s, and a minute at most. */
export const minimumRates: MinimumRates = {
  form: { everyMs: 20_000, minBytes: 16 * 1024 },
  other: { everyMs: 20_000, minBytes: 64 * 1024, withinMs: 60_000 },
};

/** Whether the client announced a body. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;

/** Whether the body is a form, which may have a file. */
export const isForm = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data\s*(?:;|$)/iu.test(headers['content-type'] ?? '');

/**
 * Ends requests whose body arrives below a minimum rate (slow loris), those of forms regardless of their total duration.
 * Received bytes that wait to be read do not count against the sender.
 */
export function refuseSlowBodies(app: FastifyInstance, rates: MinimumRates): void {
  function watch(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request;
    const { socket } = raw;
    const { everyMs, minBytes, withinMs = Infinity } = isForm(request) ? rates.form : rates.other;
    const startedAt = performance.now();
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const received = socket.bytesRead - seen;
      seen = socket.bytesRead;
      const isLate = performance.now() - startedAt >= withinMs;
      if ((received >= minBytes && !isLate) || raw.readableLength > 0) return;
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
