import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/** OpenAPI 3.1 from the same schemas that validate; the document at /api/openapi.json. */
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
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'rb_session' } } },
      security: [{ session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
