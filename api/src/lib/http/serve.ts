import type { Call, Endpoint, Reply, ServedEndpoint, ServedTable, Streamed } from '@riskboard/contract';
import { ErrorReply } from '@riskboard/contract/schemas';
import { runInRequest } from '@riskboard/db';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { confirmAccess, requireAccess } from '../security/access.ts';
import type { Caller } from '../security/caller.ts';
import { documentedAccess } from './documented-access.ts';
import {
  checksVersion,
  type DocumentedHeaders,
  documentedHeaders,
  hasLocation,
  operationId,
} from './documented-endpoint.ts';
import type { Tag } from './documented-tags.ts';
import { type SentFields, sentFieldsValidator } from './sent-fields.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The field of an upload. */
    multipart?: Endpoint['multipart'];
    fallback?: Endpoint['fallback'];
    versioned?: Endpoint['versioned'];
    /** For openapi.json. */
    headers?: DocumentedHeaders;
    /** No session is needed: calls are counted by address, even those of signed-in callers. */
    isPublic?: boolean;
  }
}

/** Input of a handler: the validated parts of the request and the caller. */
export interface Context<E extends Endpoint> extends Omit<Call<E>, 'body'> {
  body: E extends { comparesStored: true } ? SentFields : Call<E>['body'];
  caller: E['access'] extends 'public' ? null : Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Returns the reply's body, or the reply itself when it has streamed one. */
type Handler<E extends Endpoint> = (context: Context<E>) => Promise<Reply<E> | FastifyReply>;

/** One handler per endpoint of a noun's table; a missing or misspelt one does not compile. */
export type Handlers<T extends ServedTable> = { [K in keyof T]: Handler<T[K]> };

/** Status of a success when the handler sets none: the first one of the table. */
const standardStatus = (endpoint: ServedEndpoint): number => Number(Object.keys(endpoint.reply)[0]);

/** Of a call without a session: a few short fields. */
const publicBodyBytes = 128 * 1024;

const streamed = (contents: Streamed) => ({
  description: 'The content, streamed.',
  content: Object.fromEntries(Object.entries(contents).map(([type, schema]) => [type, { schema }])),
});

function schemaOf(endpoint: ServedEndpoint, { tag, name }: { tag: Tag; name: string }) {
  const responses = Object.entries(endpoint.reply).map(([status, schema]) => [
    status,
    schema instanceof z.ZodType ? schema : streamed(schema),
  ]);
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [tag],
    ...documentedAccess(endpoint),
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    response: {
      ...Object.fromEntries(responses),
      ...(checksVersion(endpoint) ? { 412: ErrorReply } : {}),
      429: ErrorReply,
      '4xx': ErrorReply,
      '5xx': ErrorReply,
    },
  };
}

/** Registers a noun's endpoints: validation, access and status come from the table. */
export function serve<const T extends ServedTable>(
  app: FastifyInstance,
  noun: { tag: Tag; table: T; logLevel?: 'error' },
  handlers: Handlers<T>,
): void {
  for (const [name, endpoint] of Object.entries(noun.table)) {
    const locatesCreated = hasLocation(endpoint, noun.table);
    const handler = handlers[name as keyof T] as unknown as Handler<ServedEndpoint>;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: schemaOf(endpoint, { tag: noun.tag, name: operationId(endpoint) }),
      ...(endpoint.comparesStored ? { validatorCompiler: sentFieldsValidator } : {}),
      ...(noun.logLevel ? { logLevel: noun.logLevel } : {}),
      preParsing: [requireAccess(endpoint), app.heldBodies.count],
      ...(endpoint.method === 'GET' ? {} : { preValidation: confirmAccess }),
      ...(endpoint.access === 'public' ? { bodyLimit: publicBodyBytes } : {}),
      config: {
        headers: documentedHeaders(endpoint, { locatesCreated }),
        ...(endpoint.access === 'public' ? { isPublic: true } : {}),
        ...(endpoint.multipart ? { multipart: endpoint.multipart } : {}),
        ...(endpoint.fallback ? { fallback: endpoint.fallback } : {}),
        ...(endpoint.versioned ? { versioned: true } : {}),
        ...(endpoint.perMinute ? { rateLimit: { max: endpoint.perMinute, timeWindow: '1 minute' } } : {}),
      },
      async handler(request, reply) {
        reply.status(standardStatus(endpoint));
        const context = {
          params: request.params,
          query: request.query,
          body: request.body,
          caller: request.caller,
          request,
          reply,
        } as Context<ServedEndpoint>;
        const scope = { id: request.id, changesData: endpoint.method !== 'GET' };
        const result = await app.heldBodies.during(request, () =>
          runInRequest(scope, () => handler(context)),
        );
        if (locatesCreated) reply.header('location', `${endpoint.path}/${(result as { _id: string })._id}`);
        return result;
      },
    });
  }
}
