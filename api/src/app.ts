import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import websocket from '@fastify/websocket';
import fastify, { type FastifyInstance } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { emailRoutes } from './accounts/email-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { assetRoutes } from './assets/routes.ts';
import { cvssRoutes } from './cvss/routes.ts';
import { cweRoutes } from './cwe/routes.ts';
import type { Deps } from './deps.ts';
import { eventRoutes } from './events/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { clientErrorHandler } from './lib/http/client-error-handler.ts';
import { handleError } from './lib/http/error-handler.ts';
import { finishOnClose } from './lib/http/finish-on-close.ts';
import { validationMessage } from './lib/http/validation-messages.ts';
import { logOptions } from './lib/log/log.ts';
import { networkOf } from './lib/security/network-of.ts';
import { replySerializer } from './lib/http/reply-serializer.ts';
import { describeApi } from './lib/http/openapi.ts';
import { refuseSlowBodies } from './lib/http/slow-bodies.ts';
import { bareHeaders, securityHeaders } from './lib/security/security-headers.ts';
import { isWebFile, serveWeb } from './lib/web/web.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { sessionPlugin } from './sessions/session-plugin.ts';
import { threatRoutes } from './threats/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { viewRoutes } from './views/routes.ts';
import { vulnerabilityRoutes } from './vulnerabilities/routes.ts';

/** Most calls a minute from one address; uploads of thousands of files stay below it. */
const callsPerMinute = 3000;

/** A modem of the last century is faster. */
const slowest = { everyMs: 20_000, leastBytes: 16 * 1024 };

/** The application without its listener: tests and production build the same. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config } = deps;
  const app = fastify({
    logger: logOptions(config),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: 1024 * 1024,
    // Uploads of 256 MiB over a slow line take minutes; refuseSlowBodies ends those that stand still.
    requestTimeout: 30 * 60_000,
    connectionTimeout: 120_000,
    trustProxy: [...(config.trustedProxies ?? ['loopback'])],
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler(config.secureCookies),
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, reply.headers(bareHeaders(config.secureCookies))),
  });
  app.setErrorHandler(handleError);
  z.config({ customError: validationMessage });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(replySerializer(config.checkReplies ?? false));
  // text/plain bodies are what a foreign page can send without asking; nothing here reads them.
  app.removeContentTypeParser('text/plain');
  app.decorate('ownOrigins', new Set(config.appOrigins));
  app.decorate('secureCookies', config.secureCookies);

  finishOnClose(app);
  refuseSlowBodies(app, config.slowest ?? slowest);
  await securityHeaders(app, config.secureCookies);
  await limitCalls(app, config.redisUrl);
  await app.register(multipart, {
    limits: { fileSize: config.uploadMaxBytes, files: 1, fields: 10, parts: 20, headerPairs: 50 },
    throwFileSizeLimit: false,
  });
  await app.register(sessionPlugin, {
    database: deps.database,
    secrets: [config.sessionSecret, ...(config.previousSecret ? [config.previousSecret] : [])],
  });
  // For the whole application: a handshake that no route wants is closed by this plugin's hooks, or by nobody.
  await app.register(websocket, { options: { maxPayload: 16 * 1024, perMessageDeflate: false } });
  await describeApi(app);

  await app.register(async (scope) => {
    accountRoutes(scope, deps);
    activityRoutes(scope, deps);
    assetRoutes(scope, deps);
    cvssRoutes(scope);
    cweRoutes(scope, deps);
    emailRoutes(scope, deps);
    healthRoutes(scope, deps);
    jobRoutes(scope, deps);
    organizationRoutes(scope, deps);
    passwordRoutes(scope, deps);
    projectRoutes(scope, deps);
    reportRoutes(scope, deps);
    searchRoutes(scope, deps);
    secondFactorRoutes(scope, deps);
    sessionRoutes(scope, deps);
    threatRoutes(scope, deps);
    tokenRoutes(scope, deps);
    viewRoutes(scope, deps);
    vulnerabilityRoutes(scope, deps);
    eventRoutes(scope, deps);
  });
  await serveWeb(app, config.webRoot);
  return app;
}

/** Counted on Redis when there is one, so that all api processes share it. */
async function limitCalls(app: FastifyInstance, redisUrl: string | undefined): Promise<void> {
  const redis = redisUrl
    ? new Redis(redisUrl, { enableOfflineQueue: false, commandTimeout: 500, maxRetriesPerRequest: 1 })
    : undefined;
  redis?.on('error', (err: Error) => app.log.warn({ err: err.message }, 'rate limiter: Redis not reachable'));
  app.addHook('onClose', () => redis?.disconnect());
  await app.register(rateLimit, {
    max: callsPerMinute,
    timeWindow: '1 minute',
    // Without Redis calls are let through rather than refused.
    skipOnError: true,
    keyGenerator: (request) => networkOf(request.ip ?? 'unknown'),
    // A page asks for dozens of files at its first visit, and many people may share one address.
    allowList: (request) => request.url.startsWith('/api/health/') || isWebFile(request),
    ...(redis ? { redis, nameSpace: 'riskboard-rate-' } : {}),
  });
}
