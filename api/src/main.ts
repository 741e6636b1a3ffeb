import { closeCodes } from '@riskboard/contract';
import {
  isLoopback,
  ownOrigins,
  publicOrigin,
  readEnvironment,
  refuseConfiguration,
} from '@riskboard/contract/environment';
import {
  answersLogin,
  canBecomeSystem,
  databaseRoles,
  openDatabase,
  requireSameDatabase,
} from '@riskboard/db';
import {
  collectWhenIdle,
  embeddedFolder,
  listenProblem,
  outliveReaders,
  reachDatabase,
  webFolder,
} from '@riskboard/operation';
import { openProducer, openRelay, prepareQueue, queueConfig, redisProblem } from '@riskboard/queue';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';

outliveReaders();
const env = readEnvironment();
const databaseUrl = env.DATABASE_URL;
if (databaseUrl === undefined || env.SESSION_SECRET === undefined)
  refuseConfiguration(
    'DATABASE_URL and SESSION_SECRET must be set to run the api on its own. `npm start` sets both.',
  );

const appOrigins = ownOrigins(new URL(publicOrigin(env)));

let app: FastifyInstance | undefined;
const queue = queueConfig({ ...env, DATABASE_URL: databaseUrl }, databaseRoles.system);
const refusedRedis = await redisProblem(env.REDIS_URL);
if (refusedRedis !== undefined) refuseConfiguration(`REDIS_URL ${refusedRedis}`);
// With a login of its own, the system role owns nothing: the migration has prepared the queue.
if (env.DATABASE_SYSTEM_URL === undefined) await reachDatabase('api', () => prepareQueue(queue));
const database = openDatabase({
  url: databaseUrl,
  systemUrl: env.DATABASE_SYSTEM_URL,
  max: 12,
  statementTimeoutMs: 30_000,
  systemTimeoutMs: 1500,
  shared: true,
  onError: (error) => app?.outages.report(error, 'database connection lost'),
});
const onQueueError = (error: Error): void => app?.outages.report(error, 'queue connection lost');
const producer = openProducer(queue, onQueueError);
const relay = openRelay(queue, { onError: onQueueError, onGap: restartStreams });
app = await buildApp({
  config: {
    appOrigins,
    secureCookies: appOrigins.every((origin) => origin.startsWith('https:')),
    sessionSecret: env.SESSION_SECRET,
    previousSecret: env.SESSION_SECRET_PREVIOUS,
    trustedProxies: env.TRUSTED_PROXIES,
    signup: env.SIGNUP,
    verifyEmail: env.SMTP_URL !== undefined,
    uploadMaxBytes: env.UPLOAD_MAX_BYTES,
    redis: env.REDIS_URL ? { url: env.REDIS_URL, prefix: env.REDIS_PREFIX } : undefined,
    cweApiUrl: env.CWE_API_URL,
    webhookKey: env.WEBHOOK_KEY,
    webhooksMayBePrivate: env.WEBHOOK_ALLOW_PRIVATE === '1',
    databaseFolder: embeddedFolder(env.DATABASE_URL ?? '', env.DATA_DIR),
    dataFolder: env.DATA_DIR,
    metricsToken: env.METRICS_TOKEN,
    // `pnpm dev` serves the pages by Vite.
    webRoot: process.env['NODE_ENV'] === 'development' ? undefined : webFolder,
    logLevel: env.LOG_LEVEL,
  },
  database,
  producer,
  relay,
});

/** Events may be lost: every client starts again at hello and snapshot (contract, Jobs and events). */
function restartStreams(): void {
  for (const socket of app?.websocketServer.clients ?? []) socket.close(closeCodes.startOver, 'start over');
}

let ending: Promise<void> | undefined;

/** Shuts down within seconds: refuses new requests, finishes running ones, closes sockets. */
function shutDown(): Promise<void> {
  ending ??= (async () => {
    setTimeout(() => process.exit(1), 20_000).unref();
    await app?.close();
    await Promise.allSettled([producer.close(), relay.close(), database.close()]);
    process.exit(0);
  })();
  return ending;
}
process.on('SIGTERM', () => void shutDown());
process.on('SIGINT', () => void shutDown());
// The supervisor that started this process has ended.
process.on('disconnect', () => void shutDown());

/** Without TLS, passwords and cookies are readable on the network (ASVS 5.0, 12.2.1). */
if (!isLoopback(env.HOST) && !appOrigins.every((origin) => origin.startsWith('https:')))
  app.log.warn(
    'plain http on a network, because APP_ORIGIN is not https: put a proxy with TLS in front, and set APP_ORIGIN to its address',
  );

// With the queue in Redis the api listens meanwhile, so that its liveness and readiness answer.
void reachDatabase('api', async () => {
  await answersLogin(database);
  await requireSameDatabase({ appUrl: databaseUrl, systemUrl: env.DATABASE_SYSTEM_URL });
});

/** A statement smuggled into the app's connections could take the system role and read password hashes. */
const mayLeaveRole = await canBecomeSystem(database).catch(() => false);
if (mayLeaveRole)
  app.log.warn(
    'the login of DATABASE_URL may take the system role: set DATABASE_SYSTEM_URL and give each its own login (SECURITY.md)',
  );

await app.listen({ host: env.HOST, port: env.PORT }).catch((error: unknown) => {
  refuseConfiguration(listenProblem({ host: env.HOST, port: env.PORT }, error));
});
collectWhenIdle();
