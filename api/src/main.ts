import { closeCodes } from '@riskboard/contract';
import { readEnvironment } from '@riskboard/contract/environment';
import { canBecomeSystem, openDatabase } from '@riskboard/db';
import { openProducer, openRelay, prepareQueue } from '@riskboard/queue';
import type { FastifyInstance } from 'fastify';
import path from 'node:path';
import { buildApp } from './app.ts';

const env = readEnvironment();
const databaseUrl = env.DATABASE_URL;
if (databaseUrl === undefined || env.SESSION_SECRET === undefined) {
  process.stderr.write(
    'Configuration: DATABASE_URL and SESSION_SECRET must be set to run the api on its own. `npm start` sets both.\n',
  );
  process.exit(78);
}

/** Both names of the loopback address, unless another origin is given (contract, Running it). */
function ownOrigins(origin: URL): string[] {
  if (!['localhost', '127.0.0.1'].includes(origin.hostname)) return [origin.origin];
  return ['localhost', '127.0.0.1'].map((name) => {
    const named = new URL(origin);
    named.hostname = name;
    return named.origin;
  });
}
const appOrigins = ownOrigins(new URL(env.APP_ORIGIN ?? `http://localhost:${env.PORT}`));

const queue = {
  redisUrl: env.REDIS_URL,
  databaseUrl: env.DATABASE_SYSTEM_URL ?? databaseUrl,
  lockMs: env.WORKER_LOCK_MS,
  stallMs: env.WORKER_STALL_MS,
};
// With a login of its own, the system role owns nothing: the migration has prepared the queue.
if (env.DATABASE_SYSTEM_URL === undefined) await prepareQueue(queue);
const database = openDatabase({
  url: databaseUrl,
  systemUrl: env.DATABASE_SYSTEM_URL,
  max: 12,
  statementTimeoutMs: 30_000,
  systemTimeoutMs: 2000,
  shared: true,
});
const producer = openProducer(queue);
const relay = openRelay(queue, { onGap: restartStreams });
let app: FastifyInstance | undefined;
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
    redisUrl: env.REDIS_URL,
    cweApiUrl: env.CWE_API_URL,
    webhookKey: env.WEBHOOK_KEY,
    webhooksMayBePrivate: env.WEBHOOK_ALLOW_PRIVATE === '1',
    webRoot: path.resolve(import.meta.dirname, '../../web/dist'),
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

/** Shuts down within seconds: refuses new requests, finishes running ones, closes sockets. */
let ending: Promise<void> | undefined;
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
const loopback = /^(?:127\.|::1$|localhost$)/u;
if (!loopback.test(env.HOST) && !appOrigins.every((origin) => origin.startsWith('https:')))
  app.log.warn(
    'plain http on a network, because APP_ORIGIN is not https: put a proxy with TLS in front, and set APP_ORIGIN to its address',
  );

/** A statement smuggled into the app's connections could take the system role and read password hashes. */
const mayLeaveRole = await canBecomeSystem(database).catch(() => false);
if (mayLeaveRole)
  app.log.warn(
    'the login of DATABASE_URL may take the system role: set DATABASE_SYSTEM_URL and give each its own login (SECURITY.md)',
  );

await app.listen({ host: env.HOST, port: env.PORT });
