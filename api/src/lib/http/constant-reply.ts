import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding, compressors } from './compress-replies.ts';
import { namesNone } from './if-match.ts';

/** The bytes of a JSON text that does not change, serialized once and compressed once for each encoding. */
interface ConstantJson {
  /** An entity tag of the text, in any encoding. */
  etag: string;
  plain: Buffer;
  compressed: Map<keyof typeof compressors, Promise<Buffer>>;
}

function constantJson(text: string): ConstantJson {
  const plain = Buffer.from(text);
  const hash = createHash('sha256').update(plain).digest('base64url');
  return { etag: `"${hash}"`, plain, compressed: new Map() };
}

function bytesIn({ plain, compressed }: ConstantJson, encoding: keyof typeof compressors): Promise<Buffer> {
  const known = compressed.get(encoding);
  if (known !== undefined) return known;
  const bytes = compressors[encoding](plain);
  compressed.set(encoding, bytes);
  return bytes;
}

/**
 * Sends a JSON document that does not change while the process runs: a call costs neither its serialization nor its
 * compression. 304 without a body where `If-None-Match` names it.
 * @param text called for the first reply
 */
export function constantReply(
  text: () => string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Buffer | null> {
  let known: ConstantJson | undefined;
  return async (request, reply) => {
    const document = (known ??= constantJson(text()));
    // Tags of different encodings must differ unless they are weak (RFC 9110, 8.8.3).
    reply.headers({ etag: `W/${document.etag}`, vary: 'accept-encoding' });
    if (namesNone(request, document.etag)) {
      reply.status(304);
      return null;
    }
    reply.type('application/json; charset=utf-8');
    const encoding = acceptedEncoding(request);
    if (encoding === null) return document.plain;
    reply.header('content-encoding', encoding);
    return bytesIn(document, encoding);
  };
}
