import { badConfigurationExit } from '@riskboard/contract/environment';
import { databaseRoles, ensureLogin, migrateToLatest, requireSameDatabase } from '@riskboard/db';
import { loginProblem, untilReachable } from '@riskboard/operation/until-reachable';
import { prepareQueue, redisProblem } from '@riskboard/queue';
import pg from 'pg';
import type { DatabaseAddresses } from './addresses.ts';
import { StartError } from '../startup/start-error.ts';

/** The messages of an error and its causes. */
function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}: ${messages(error.cause)}` : error.message;
}

interface MigrateOptions {
  redisUrl?: string | undefined;
  /** Receives the waits for PostgreSQL, and for a backup. */
  log?: Parameters<typeof untilReachable>[1]['log'];
  /** Ends these waits. */
  signal?: AbortSignal;
}

const noLog = { info: () => undefined, warn: () => undefined };

async function contact(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Waits for PostgreSQL. Applies all migrations, prepares the queue, and creates the logins of the api and the workers, or sets
 * their passwords, unless the owner is the login of the api.
 * @throws StartError when the database refuses the login or cannot be changed
 */
export async function migrate(
  { ownerUrl, appUrl, systemUrl }: DatabaseAddresses,
  { redisUrl, log = noLog, signal }: MigrateOptions = {},
): Promise<void> {
  const problem = await redisProblem(redisUrl);
  if (problem !== undefined)
    throw new StartError(`REDIS_URL ${problem}.`, { exitCode: badConfigurationExit });
  const addresses = appUrl ? { ownerUrl, appUrl, systemUrl } : { appUrl: ownerUrl, systemUrl };
  try {
    await untilReachable(() => contact(ownerUrl), { name: 'PostgreSQL', log, signal });
    // Before the wrong database is migrated, and again for logins that did not exist yet.
    await requireSameDatabase(addresses);
    const onWait = () =>
      log.info({}, 'the migration waits until a backup or restore of the database has ended');
    await migrateToLatest(ownerUrl, undefined, {
      onWait,
      signal,
      hasSystemLogin: systemUrl !== undefined,
    });
    await prepareQueue({ databaseUrl: ownerUrl, redisUrl, lockMs: 0, stallMs: 0 }, databaseRoles.system);
    if (appUrl) await ensureLogin(ownerUrl, appUrl, databaseRoles.app);
    if (appUrl && systemUrl) await ensureLogin(ownerUrl, systemUrl, databaseRoles.system);
    await requireSameDatabase(addresses);
  } catch (cause) {
    const refused = loginProblem(cause, appUrl ? 'DATABASE_OWNER_URL' : 'DATABASE_URL');
    if (refused !== undefined) throw new StartError(refused, { exitCode: badConfigurationExit, cause });
    throw new StartError(`The database could not be prepared: ${messages(cause)}`, { cause });
  }
}
