import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { securitySchemes } from './documented-access.ts';

/** Uploads are read as a stream, so no schema validates their body; this documents it. */
const uploadBody = (field: string) => ({
  consumes: ['multipart/form-data'],
  body: {
    type: 'object',
    required: [field],
    properties: { [field]: { type: 'string', format: 'binary' } },
  },
});

/**
 * The standard override removes the alternatives of a union that are still empty. zod fills those of transformed values,
 * such as days, after that: they would be missing from the document.
 */
const zodToJsonConfig = { override: () => undefined };
const jsonSchemaTransform = createJsonSchemaTransform({ zodToJsonConfig });
const jsonSchemaTransformObject = createJsonSchemaTransformObject({ zodToJsonConfig });

const transform: SwaggerTransform = (document) => {
  const { schema, url } = jsonSchemaTransform(document);
  const upload = document.route.config?.multipart;
  return { url, schema: upload ? { ...schema, ...uploadBody(upload.field) } : schema };
};

/** Removes the request versions of named schemas that no request uses. */
const transformObject: SwaggerTransformObject = (document) => {
  const whole = jsonSchemaTransformObject(document);
  const text = JSON.stringify(whole);
  const schemas = ('components' in whole && whole.components?.schemas) || {};
  for (const name of Object.keys(schemas))
    if (!text.includes(`"#/components/schemas/${name}"`)) Reflect.deleteProperty(schemas, name);
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
      components: { securitySchemes },
    },
    transform,
    transformObject,
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: pagePolicy });
}
