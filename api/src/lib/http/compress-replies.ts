import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from './failure.ts';
import { hasBody } from './slow-bodies.ts';

/** Characters of the shortest reply that is compressed: a shorter one fits into a few packets anyway. */
export const leastCompressed = 8 * 1024;

/** In the order of preference. They run in the threads of libuv. */
export const compressors = { zstd: promisify(zstdCompress), gzip: promisify(gzip) };
const encodings = Object.keys(compressors) as (keyof typeof compressors)[];

/** The preferred encoding that the client accepts; null for none. */
export const acceptedEncoding = ({ headers }: FastifyRequest): keyof typeof compressors | null =>
  negotiate(headers['accept-encoding'] ?? '', encodings);

const json = /^application\/json\b/u;

/**
 * Compresses JSON replies for clients that accept it (decision 0059). Downloads and other streams are sent as they are.
 */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (typeof payload !== 'string' || payload.length < leastCompressed) return payload;
    if (!json.test(String(reply.getHeader('content-type')))) return payload;
    reply.header('vary', 'accept-encoding');
    const encoding = acceptedEncoding(request);
    if (encoding === null) return payload;
    reply.header('content-encoding', encoding);
    return compressors[encoding](payload);
  });
}

/** Refuses compressed bodies (RFC 9110, 15.5.16), because the limits of requests are of the bytes that are sent. */
export function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (request.is404 || !hasBody(request) || encoding.toLowerCase() === 'identity') return;
    throw new Failure('wrong_type', 'Send the body uncompressed.', {
      headers: { 'accept-encoding': 'identity' },
    });
  });
}
