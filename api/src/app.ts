import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import websocket, { type WebSocket } from '@fastify/websocket';
import { openMetrics, type Outages, watchOutages } from '@riskboard/operation';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { emailRoutes } from './accounts/email-change/routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { alertRoutes } from './alerts/routes.ts';
import { assetRoutes } from './assets/routes.ts';
import { batchRoutes } from './batches/routes.ts';
import { cvssRoutes } from './cvss/routes.ts';
import { cwssRoutes } from './cwss/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { cweRoutes } from './cwe/routes.ts';
import type { Deps } from './deps.ts';
import { eventRoutes } from './events/routes.ts';
import { partChecks } from './health/check-parts.ts';
import { diskOf } from './health/disk.ts';
import { healthRoutes } from './health/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { clientErrorHandler } from './lib/http/client-error-handler.ts';
import { compressReplies, refuseCompressedBodies } from './lib/http/compress-replies.ts';
import { handleError } from './lib/http/error-handler.ts';
import { Failure } from './lib/http/failure.ts';
import { finishOnClose } from './lib/http/finish-on-close.ts';
import { answerUnchanged } from './lib/http/if-match.ts';
import { validationMessage } from './lib/http/validation-messages.ts';
import { logOptions } from './lib/log/log.ts';
import { keepValidAddresses, warnAboutUntrustedProxy } from './lib/security/forwarded-for.ts';
import { limitCalls } from './lib/security/rate-limit.ts';
import { requestValidator } from './lib/http/request-validator.ts';
import { replySerializer } from './lib/http/reply-serializer.ts';
import { describeApi } from './lib/http/openapi.ts';
import { readJsonAsUtf8 } from './lib/http/json-bodies.ts';
import { noteMethods } from './lib/http/route-methods.ts';
import { heldBodyLimits, limitHeldBodies } from './lib/http/held-bodies.ts';
import { minimumRates, refuseSlowBodies } from './lib/http/slow-bodies.ts';
import { readUnreadBodies } from './lib/http/unread-bodies.ts';
import { bareHeaders, securityHeaders } from './lib/security/security-headers.ts';
import { serveWeb } from './lib/web/web.ts';
import { measureRequests, measureSockets } from './metrics/request-metrics.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { riskReportRoutes } from './risk-report/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { sessionPlugin } from './sessions/session-plugin.ts';
import { threatRoutes } from './threats/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { viewRoutes } from './views/routes.ts';
import { vignetteRoutes } from './vignettes/routes.ts';
import { vulnerabilityRoutes } from './vulnerabilities/routes.ts';

/** For the rest of a body whose reply is sent; as many bytes as an upload may have. */
const unreadWithinMs = 60_000;

/** Builds the application without its listener, for production and tests. */
export async function buildApp(given: Deps): Promise<FastifyInstance> {
  const { config } = given;
  const { trustedProxies = [] } = config;
  const app = fastify({
    logger: logOptions(config),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: 1024 * 1024,
    // Uploads of 256 MiB over a slow line take minutes; refuseSlowBodies ends stalled ones.
    requestTimeout: 30 * 60_000,
    connectionTimeout: 120_000,
    // A plugin that loads many files takes longer than Fastify's 10 s on a busy machine with slow disks, and the api would end.
    pluginTimeout: 60_000,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // Runs before anything reads the client's address, for handshakes too.
    rewriteUrl(request) {
      keepValidAddresses(request);
      return request.url ?? '/';
    },
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler(config.secureCookies),
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, reply.headers(bareHeaders(config.secureCookies))),
  });
  app.setErrorHandler(handleError);
  noteMethods(app);
  z.config({ customError: validationMessage });
  app.setValidatorCompiler(requestValidator);
  app.setSerializerCompiler(replySerializer(config.checkReplies ?? false));
  // A page of another origin can send text/plain without a preflight; no endpoint needs it.
  app.removeContentTypeParser('text/plain');
  readJsonAsUtf8(app);
  app.decorate('ownOrigins', new Set(config.appOrigins));
  app.decorate('secureCookies', config.secureCookies);
  const outages = outagesOf(given, app.log);
  app.decorate('outages', outages);
  app.addHook('onClose', () => outages.close());
  const deps: Deps = { ...given, outages };
  const disk = diskOf(deps.database, config.databaseFolder);
  app.decorate('disk', disk);
  app.addHook('onError', async (_request, _reply, error) => disk.note(error));
  const checkParts = partChecks(deps, disk);
  const registry = openMetrics();
  measureRequests(app, registry);

  finishOnClose(app);
  warnAboutUntrustedProxy(app);
  refuseSlowBodies(app, { ...minimumRates, ...config.minimumRates });
  limitHeldBodies(app, config.heldBodyLimits ?? heldBodyLimits);
  await securityHeaders(app, config.secureCookies);
  answerUnchanged(app);
  compressReplies(app);
  readUnreadBodies(app, {
    maxBytes: config.uploadMaxBytes,
    withinMs: config.unreadWithinMs ?? unreadWithinMs,
  });
  await limitCalls(app, config.redis);
  await app.register(multipart, {
    limits: { fileSize: config.uploadMaxBytes, files: 1, fields: 10, parts: 20, headerPairs: 50 },
    throwFileSizeLimit: false,
  });
  refuseCompressedBodies(app);
  // The plugin accepts forms at every address, and leaves their body undefined.
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart() && !request.is404 && !request.routeOptions.config.multipart)
      throw new Failure('wrong_type', 'Send application/json.');
  });
  app.addHook('preHandler', async (request) => {
    if (!request.isMultipart()) return;
    const bytes = Number(request.headers['content-length'] ?? 0);
    if (await disk.isTooFullFor(bytes)) throw new Failure('disk_full');
  });
  await app.register(sessionPlugin, {
    database: deps.database,
    secrets: [config.sessionSecret, ...(config.previousSecret ? [config.previousSecret] : [])],
  });
  // Registered for the whole application: its hooks also close handshakes for unknown routes.
  await app.register(websocket, {
    options: { maxPayload: 16 * 1024, perMessageDeflate: false },
    errorHandler: handleSocketError,
  });
  // At an address without a socket the plugin upgrades, and only then closes.
  app.addHook('onRequest', async ({ ws, routeOptions }) => {
    if (ws && !routeOptions.config.acceptsSocket)
      throw new Failure('malformed', 'This address does not accept WebSocket connections.');
  });
  await describeApi(app);

  await app.register(async (scope) => {
    accountRoutes(scope, deps);
    activityRoutes(scope, deps);
    alertRoutes(scope, deps);
    assetRoutes(scope, deps);
    batchRoutes(scope, deps);
    cvssRoutes(scope);
    cwssRoutes(scope, deps);
    overviewRoutes(scope, deps);
    riskReportRoutes(scope, deps);
    cweRoutes(scope, deps);
    emailRoutes(scope, deps);
    healthRoutes(scope, { database: deps.database, checkParts });
    metricsRoutes(scope, deps, { registry, checkParts });
    importRoutes(scope, deps);
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
    vignetteRoutes(scope, deps);
    vulnerabilityRoutes(scope, deps);
    eventRoutes(scope, deps, measureSockets(app, registry));
  });
  await serveWeb(app, config.webRoot);
  return app;
}

/** Without Redis the queue is in PostgreSQL, whose outage is one and not two. */
function outagesOf({ config, database, producer }: Deps, log: FastifyBaseLogger): Outages {
  const postgres = { name: 'PostgreSQL', probe: () => sql`select 1`.execute(database.system) };
  const redis = { name: 'Redis', probe: () => producer.ping() };
  return watchOutages(config.redis ? [postgres, redis] : [postgres], { log });
}

/** A broken connection and an invalid frame are a client's faults: one line without a stack (events/socket.ts). */
function handleSocketError(
  error: Error & { code?: string },
  socket: WebSocket,
  request: FastifyRequest,
): void {
  if (error.code !== undefined) return;
  request.log.error({ err: error }, 'WebSocket handler failed');
  socket.terminate();
}
