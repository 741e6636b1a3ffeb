import { finished, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { networkOf } from '../security/network-of.ts';
import { Failure } from './failure.ts';
import { hasBody, isForm } from './slow-bodies.ts';

/** Most bytes of bodies that are in memory at once. */
export interface HeldBodyLimits {
  /** Of an account; without one, of a network. */
  caller: number;
  /** Of all accounts of a network. */
  network: number;
  process: number;
}

const mebibyte = 1024 * 1024;

/** A body is 1 MiB at most. Parsed, the bodies of the process fit the heap of an api with 512 MiB of memory. */
export const heldBodyLimits: HeldBodyLimits = {
  caller: 16 * mebibyte,
  network: 32 * mebibyte,
  process: 64 * mebibyte,
};

/** Bodies in memory: those that arrive, and those whose request is handled or not answered yet. */
export interface HeldBodies {
  /** Of the whole process. */
  readonly bytes: number;
  /** A `preParsing` hook after the check of access: counts bodies that Fastify reads into memory. @throws Failure 429, 503 */
  count(request: FastifyRequest, reply: FastifyReply, payload: RequestPayload): Promise<RequestPayload>;
  /** Counts bytes of a form that its handler has read into memory. @throws Failure 429, 503 */
  add(request: FastifyRequest, bytes: number): void;
  /** Runs the handler of a request: its body is counted until then, also when its client disconnects before. */
  during<T>(request: FastifyRequest, handler: () => Promise<T>): Promise<T>;
}

declare module 'fastify' {
  interface FastifyInstance {
    heldBodies: HeldBodies;
  }
}

interface Share {
  key: string;
  most: number;
  refusal(): Failure;
}

const retryLater = { headers: { 'retry-after': '5' } };
const tooManyOfCaller = (): Failure =>
  new Failure('too_many', 'Too many large requests at once. Please try again.', retryLater);
const tooManyOfAll = (): Failure =>
  new Failure('unavailable', 'The server is busy with large requests. Please try again.', retryLater);

interface Body {
  shares: readonly Share[];
  bytes: number;
  isHandled: boolean;
  isAnswered: boolean;
}

/** Limits the bytes of bodies in memory per caller, per network and in this process, and decorates the app with their count. */
export function limitHeldBodies(app: FastifyInstance, limits: HeldBodyLimits): void {
  const held = new Map<string, number>();
  const bodies = new WeakMap<FastifyRequest, Body>();

  function change({ shares }: Body, bytes: number): void {
    for (const { key } of shares) {
      const sum = (held.get(key) ?? 0) + bytes;
      if (sum === 0) held.delete(key);
      else held.set(key, sum);
    }
  }

  function releaseIfDone(body: Body): void {
    if (body.isHandled || !body.isAnswered) return;
    change(body, -body.bytes);
    body.bytes = 0;
  }

  function sharesOf({ caller, ip }: FastifyRequest): Share[] {
    const network = networkOf(ip ?? 'unknown');
    return [
      {
        key: caller ? `account ${caller.accountId}` : `public ${network}`,
        most: limits.caller,
        refusal: tooManyOfCaller,
      },
      { key: `network ${network}`, most: limits.network, refusal: tooManyOfCaller },
      { key: 'process', most: limits.process, refusal: tooManyOfAll },
    ];
  }

  function begin(request: FastifyRequest, reply: FastifyReply): Body {
    const body: Body = { shares: sharesOf(request), bytes: 0, isHandled: false, isAnswered: false };
    bodies.set(request, body);
    finished(reply.raw, () => {
      body.isAnswered = true;
      releaseIfDone(body);
    });
    return body;
  }

  function add(body: Body, bytes: number): void {
    const full = body.shares.find(({ key, most }) => (held.get(key) ?? 0) + bytes > most);
    if (full) throw full.refusal();
    change(body, bytes);
    body.bytes += bytes;
    releaseIfDone(body);
  }

  /** The same stream, whose bytes are counted as they arrive. It is not piped by `pipeline`, which would end the connection. */
  function counted(payload: RequestPayload, body: Body): RequestPayload {
    const counting = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          add(body, chunk.length);
        } catch (error) {
          return done(error as Error);
        }
        return done(null, chunk);
      },
    });
    payload.once('error', (error: Error) => counting.destroy(error));
    return payload.pipe(counting);
  }

  app.decorate('heldBodies', {
    get bytes() {
      return held.get('process') ?? 0;
    },
    async count(request, reply, payload) {
      if (!hasBody(request)) return payload;
      const body = begin(request, reply);
      // Forms are read by their handlers.
      if (isForm(request)) return payload;
      const declared = Number(request.headers['content-length']);
      if (Number.isNaN(declared)) return counted(payload, body);
      // A longer body is refused before it is read.
      if (declared <= request.routeOptions.bodyLimit) add(body, declared);
      return payload;
    },
    add(request, bytes) {
      const body = bodies.get(request);
      if (body) add(body, bytes);
    },
    async during(request, handler) {
      const body = bodies.get(request);
      if (!body) return handler();
      body.isHandled = true;
      try {
        return await handler();
      } finally {
        body.isHandled = false;
        releaseIfDone(body);
      }
    },
  });
}
