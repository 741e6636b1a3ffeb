import { publicOrigin, readWorkerEnvironment, refuseConfiguration } from '@riskboard/contract/environment';
import {
  answersLogin,
  databaseRoles,
  loggableError,
  openDatabase,
  requireSameDatabase,
  sessionLimits,
  waitForSchema,
} from '@riskboard/db';
import {
  collectWhenIdle,
  embeddedFolder,
  listenProblem,
  logDestination,
  measureDisk,
  measurePools,
  openMetrics,
  type Outages,
  outliveReaders,
  reachDatabase,
  serveMetrics,
  watchOutages,
} from '@riskboard/operation';
import { openProducer, openRelay, prepareQueue, queueConfig, redisProblem } from '@riskboard/queue';
import { sql } from 'kysely';
import { pino } from 'pino';
import { heartbeatProblem, startHeartbeat } from './housekeeping/heartbeat.ts';
import { measureJobs } from './job-metrics.ts';
import { startMailSender } from './mail/mail-sender.ts';
import { openTransport } from './mail/delivery/transport.ts';
import { startWorker } from './worker.ts';

outliveReaders();
const env = readWorkerEnvironment();
const databaseUrl = env.DATABASE_URL;
if (databaseUrl === undefined)
  refuseConfiguration('DATABASE_URL must be set to run a worker on its own. `npm start` sets it.');

/** A running job has this long to end after SIGTERM; then it is queued again for another worker. */
const drainMs = 20_000;

const log = pino(
  { name: 'worker', level: env.LOG_LEVEL, serializers: { err: loggableError } },
  logDestination('worker'),
);
const queue = queueConfig({ ...env, DATABASE_URL: databaseUrl }, databaseRoles.system);
const refusedRedis = await redisProblem(env.REDIS_URL);
if (refusedRedis !== undefined) refuseConfiguration(`REDIS_URL ${refusedRedis}`);
const heartbeatFile = env.WORKER_HEARTBEAT_FILE;
const unusableFile = heartbeatFile === undefined ? undefined : await heartbeatProblem(heartbeatFile);
if (unusableFile !== undefined) refuseConfiguration(`WORKER_HEARTBEAT_FILE ${unusableFile}`);
/** Also while the worker waits for the database or its schema: it is alive, and a restart would not help. */
const heartbeat =
  heartbeatFile === undefined
    ? undefined
    : startHeartbeat({
        file: heartbeatFile,
        sweepMs: env.WORKER_STALL_MS,
        onError: (err) => log.warn({ err }, 'heartbeat not written'),
      });
// With a login of its own, the system role owns nothing: the migration has prepared the queue.
if (env.DATABASE_SYSTEM_URL === undefined)
  await reachDatabase('worker', () => {
    heartbeat?.sweepEnded();
    return prepareQueue(queue);
  });
let outages: Outages | undefined;
const database = openDatabase({
  url: databaseUrl,
  systemUrl: env.DATABASE_SYSTEM_URL,
  max: 3 * env.WORKER_CONCURRENCY + 2,
  limits: sessionLimits.worker,
  onError: (error) => outages?.report(error, 'database connection lost'),
});
// Before other connections are opened: each would report a refused login.
await reachDatabase('worker', async () => {
  heartbeat?.sweepEnded();
  await answersLogin(database);
  await requireSameDatabase({ appUrl: databaseUrl, systemUrl: env.DATABASE_SYSTEM_URL });
});
const onQueueError = (error: Error): void => outages?.report(error, 'queue connection lost');
const producer = openProducer(queue, onQueueError);
const relay = openRelay(queue, { onError: onQueueError });
/** Without Redis the queue is in PostgreSQL, whose outage is one and not two. */
const dependencies = [
  { name: 'PostgreSQL', probe: () => sql`select 1`.execute(database.system) },
  ...(env.REDIS_URL ? [{ name: 'Redis', probe: () => producer.ping() }] : []),
];
outages = watchOutages(dependencies, { log });
const { origin } = new URL(publicOrigin(env));
const webhooks = { key: env.WEBHOOK_KEY, allowPrivate: env.WEBHOOK_ALLOW_PRIVATE === '1' };
const registry = openMetrics();
measurePools(registry, database);
measureDisk(registry, env.DATA_DIR);
const onRunEnd = measureJobs(registry, env.WORKER_CONCURRENCY);
await waitForSchema(database, {
  onWait: (reason) => log.warn({ reason }, 'no job starts yet'),
  onLook: () => heartbeat?.sweepEnded(),
});
const worker = startWorker(
  {
    outages,
    onRunEnd,
    database,
    databaseFolder: embeddedFolder(databaseUrl, env.DATA_DIR),
    producer,
    relay,
    log,
    cweApiUrl: env.CWE_API_URL,
    origin,
    webhooks,
  },
  {
    queue,
    concurrency: env.WORKER_CONCURRENCY,
    sweepMs: env.WORKER_STALL_MS,
    batchDays: env.BATCH_RETENTION_DAYS,
    heartbeat,
  },
);
const mailSender = startMailSender({
  system: database.system,
  relay,
  log,
  outages,
  transport: openTransport(env),
  verifyEmail: env.SMTP_URL !== undefined,
  origin,
});
if (env.WORKER_METRICS_PORT !== undefined && env.METRICS_TOKEN !== undefined) {
  const address = { host: env.HOST, port: env.WORKER_METRICS_PORT, token: env.METRICS_TOKEN };
  await serveMetrics(registry, address).catch((error: unknown) => {
    refuseConfiguration(`WORKER_METRICS_PORT ${listenProblem(address, error)}`);
  });
}
log.info({ concurrency: env.WORKER_CONCURRENCY }, 'worker ready');

let ending = false;
async function shutDown(): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(1), drainMs + 8000).unref();
  outages?.close();
  await Promise.all([worker.close(drainMs), mailSender.close(drainMs)]);
  await Promise.allSettled([producer.close(), relay.close(), database.close()]);
  process.exit(0);
}
process.on('SIGTERM', () => void shutDown());
process.on('SIGINT', () => void shutDown());
// The supervisor that started this process has ended.
process.on('disconnect', () => void shutDown());
collectWhenIdle();
