import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { ServerMessage, webhookMessages } from '@riskboard/contract/schemas';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { constantReply } from './constant-reply.ts';
import { securitySchemes } from './documented-access.ts';
import { endpointOf, type HeaderSchemas } from './documented-endpoint.ts';
import { describeReply } from './documented-replies.ts';
import { documentedTags } from './documented-tags.ts';
import { isBodyOptional } from './request-validator.ts';

/** Uploads are read as a stream, so no schema validates their body; this documents it. */
const uploadBody = (field: string) => ({
  consumes: ['multipart/form-data'],
  body: {
    type: 'object',
    required: [field],
    properties: { [field]: { type: 'string', format: 'binary' } },
  },
});

/** zod also documents these checks as formats. JSON Schema has no such formats; the patterns state the checks. */
const checks = new Set(['starts_with', 'ends_with', 'includes', 'lowercase', 'uppercase']);

/**
 * The standard override removes the alternatives of a union that are still empty. zod fills those of transformed values,
 * such as days, after that: they would be missing from the document.
 */
const zodToJsonConfig = {
  override({ jsonSchema }: { jsonSchema: { format?: string } }): void {
    if (checks.has(jsonSchema.format ?? '')) delete jsonSchema.format;
  },
};
const jsonSchemaTransform = createJsonSchemaTransform({ zodToJsonConfig });
const jsonSchemaTransformObject = createJsonSchemaTransformObject({ zodToJsonConfig });

/** `answerUnchanged` sends it for every call that has `If-None-Match`. */
const unchanged = { description: 'The reply would have an `ETag` that `If-None-Match` names.', type: 'null' };

/** A reply with its description and headers, in the form that the plugin documents. A streamed one has a description. */
function describedReply(reply: object, description: string, headers: HeaderSchemas = {}): object {
  const described =
    'content' in reply ? reply : { description, content: { 'application/json': { schema: reply } } };
  return Object.keys(headers).length > 0 ? { ...described, headers } : described;
}

const transform: SwaggerTransform = (document) => {
  const { schema, url } = jsonSchemaTransform(document);
  const { multipart: upload, headers } = document.route.config ?? {};
  const endpoint = endpointOf(document.schema.operationId);
  if (headers === undefined || endpoint === undefined) return { url, schema };
  const { response = {}, ...described } = schema as { response?: Record<string, object> };
  const replies = Object.entries(response).map(([status, reply]) => [
    status,
    describedReply(reply, describeReply(status, endpoint), headers.reply[status]),
  ]);
  return {
    url,
    schema: {
      ...described,
      ...(upload ? uploadBody(upload.field) : {}),
      ...(Object.keys(headers.request).length > 0
        ? { headers: { type: 'object', properties: headers.request } }
        : {}),
      response: {
        ...Object.fromEntries(replies),
        ...('If-None-Match' in headers.request && { 304: unchanged }),
      } as object,
    },
  };
};

interface Operation {
  operationId?: string;
  requestBody?: { required?: boolean };
}

/** The plugin documents every body as required. */
function markOptionalBodies(paths: Readonly<Record<string, object | undefined>>): void {
  for (const operation of Object.values(paths).flatMap((methods): Operation[] =>
    Object.values(methods ?? {}),
  ))
    if (operation.requestBody && isBodyOptional(endpointOf(operation.operationId)?.body))
      operation.requestBody.required = false;
}

/** The messages that the receivers of webhooks get. */
const webhooks = Object.fromEntries(
  Object.entries(webhookMessages).map(([type, message]) => {
    const schema = { $ref: `#/components/schemas/${message.meta()?.id}` };
    return [
      type,
      {
        post: {
          summary: `Message ${type} of a webhook`,
          description:
            'Signed by the scheme of Standard Webhooks. Any status 2xx confirms, and 410 disables the webhook. Messages may arrive in another order than they were sent, because failed ones are tried again, and more than once with the same `webhook-id`.',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { '2XX': { description: 'The message was received.' } },
        },
      },
    ];
  }),
);

/** Named schemas that no operation refers to: the messages of the WebSocket, which OpenAPI cannot describe. */
const standalone = new Set([ServerMessage.meta()?.id]);

/** Removes the request versions of named schemas that no request uses, and then those that only these referred to. */
function removeUnusedSchemas(document: object, schemas: object): void {
  const text = JSON.stringify(document);
  const unused = Object.keys(schemas).filter(
    (name) => !standalone.has(name) && !text.includes(`"#/components/schemas/${name}"`),
  );
  if (unused.length === 0) return;
  for (const name of unused) Reflect.deleteProperty(schemas, name);
  removeUnusedSchemas(document, schemas);
}

const transformObject: SwaggerTransformObject = (document) => {
  const whole = { ...jsonSchemaTransformObject(document), webhooks };
  markOptionalBodies(whole.paths ?? {});
  removeUnusedSchemas(whole, ('components' in whole && whole.components?.schemas) || {});
  return whole;
};

/** Swagger UI's logo has a constant inline style sheet, allowed by its hash on this page only. */
const pagePolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': ["'self'", "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"],
  'img-src': ["'self'", 'data:'],
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The path of the page. */
const docs = '/api/docs';

/** OpenAPI 3.1 from the schemas that validate: the document at /api/openapi.json, a page at /api/docs. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Riskboard',
        version: '0.1.0',
        description:
          'Cyber-risk dashboard: reports, threats, vulnerabilities and the jobs that work on them.',
      },
      tags: Object.entries(documentedTags).map(([name, description]) => ({ name, description })),
      components: { securitySchemes },
    },
    transform,
    transformObject,
  });
  const sendDocument = constantReply(() => JSON.stringify(app.swagger()));
  app.get('/api/openapi.json', { schema: { hide: true } }, sendDocument);
  await app.register(swaggerUi, {
    routePrefix: docs,
    staticCSP: pagePolicy,
    uiHooks: {
      // The plugin serializes the document for each call of its own route.
      async preHandler(request, reply) {
        if (request.routeOptions.url !== `${docs}/json`) return;
        return reply.send(await sendDocument(request, reply));
      },
    },
  });
}
