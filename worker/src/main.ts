import { readWorkerEnvironment } from '@riskboard/contract/environment';
import { loggableError, openDatabase, sessionLimits } from '@riskboard/db';
import { openProducer, openRelay, prepareQueue } from '@riskboard/queue';
import { pino } from 'pino';
import { startMailSender } from './mail/mail-sender.ts';
import { openTransport } from './mail/delivery/transport.ts';
import { startWorker } from './worker.ts';

const env = readWorkerEnvironment();
const databaseUrl = env.DATABASE_URL;
if (databaseUrl === undefined) {
  process.stderr.write(
    'Configuration: DATABASE_URL must be set to run a worker on its own. `npm start` sets it.\n',
  );
  process.exit(78);
}

/** A running job has this long to end after SIGTERM; then it is queued again for another worker. */
const drainMs = 20_000;

const log = pino({ name: 'worker', level: env.LOG_LEVEL, serializers: { err: loggableError } });
const queue = {
  ...(env.REDIS_URL ? { redisUrl: env.REDIS_URL } : {}),
  databaseUrl: env.DATABASE_SYSTEM_URL ?? databaseUrl,
  lockMs: env.WORKER_LOCK_MS,
  stallMs: env.WORKER_STALL_MS,
};
// With a login of its own, the system role owns nothing: the migration has prepared the queue.
if (env.DATABASE_SYSTEM_URL === undefined) await prepareQueue(queue);
const database = openDatabase({
  url: databaseUrl,
  systemUrl: env.DATABASE_SYSTEM_URL,
  max: 3 * env.WORKER_CONCURRENCY + 2,
  limits: sessionLimits.worker,
  onError: (err) => log.warn({ err }, 'idle database connection lost'),
});
const producer = openProducer(queue);
const relay = openRelay(queue);
const origin = env.APP_ORIGIN ? new URL(env.APP_ORIGIN).origin : `http://localhost:${env.PORT}`;
const webhooks = { key: env.WEBHOOK_KEY, allowPrivate: env.WEBHOOK_ALLOW_PRIVATE === '1' };
const worker = startWorker(
  { database, producer, relay, log, cweApiUrl: env.CWE_API_URL, origin, webhooks },
  { queue, concurrency: env.WORKER_CONCURRENCY, sweepMs: env.WORKER_STALL_MS },
);
const mailSender = startMailSender({
  system: database.system,
  relay,
  log,
  transport: openTransport(env),
  verifyEmail: env.SMTP_URL !== undefined,
  origin,
});
log.info({ concurrency: env.WORKER_CONCURRENCY }, 'worker ready');

let ending = false;
async function shutDown(): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(1), drainMs + 8000).unref();
  await Promise.all([worker.close(drainMs), mailSender.close(drainMs)]);
  await Promise.allSettled([producer.close(), relay.close(), database.close()]);
  process.exit(0);
}
process.on('SIGTERM', () => void shutDown());
process.on('SIGINT', () => void shutDown());
// The supervisor that started this process has ended.
process.on('disconnect', () => void shutDown());
