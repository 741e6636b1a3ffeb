import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { hasBody } from './slow-bodies.ts';

/** Bytes and milliseconds for which a body is read that no handler needs. */
export interface UnreadLimits {
  maxBytes: number;
  withinMs: number;
}

/**
 * Reads the rest of a body that is answered before its end, such as a refused upload, and keeps nothing of it: otherwise
 * the next request of the connection is never read (RFC 9112, 9.3), and a sender that is cut off may not see the reply.
 * The reply is sent at once and ends with the body. A connection whose body may be beyond the limits is announced as
 * closed, and one that exceeds them is cut off.
 */
export function readUnreadBodies(app: FastifyInstance, limits: UnreadLimits): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const { raw, headers } = request;
    if (!hasBody(request) || raw.readableEnded || raw.destroyed) return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    // Without a declared length the comparison is false.
    const fits = Number(headers['content-length']) <= limits.maxBytes;
    if (!fits) reply.header('connection', 'close');
    // With it the reply is complete for its receiver before the stream ends.
    reply.header('content-length', Buffer.byteLength(payload));
    return Readable.from(untilRead(payload, raw, limits));
  });
}

/** The reply, which ends when the body was read: Node closes a connection only then. */
async function* untilRead(
  payload: string | Buffer,
  raw: IncomingMessage,
  limits: UnreadLimits,
): AsyncGenerator<string | Buffer> {
  yield payload;
  await readToEnd(raw, limits);
}

/** Resolves when the body has ended or was cut off. */
async function readToEnd(raw: IncomingMessage, { maxBytes, withinMs }: UnreadLimits): Promise<void> {
  const timer = setTimeout(() => raw.destroy(), withinMs).unref();
  let bytes = 0;
  raw.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > maxBytes) raw.destroy();
  });
  // From the parser of a form, which waits for the reader of its file.
  raw.unpipe().resume();
  await finished(raw).catch(() => undefined);
  clearTimeout(timer);
}
