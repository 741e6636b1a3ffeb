import { badConfigurationExit, type Environment } from '@riskboard/contract/environment';
import { databaseRoles, ensureLogin, migrateToLatest, NewerSchema, WrongEncoding } from '@riskboard/db';
import { prepareQueue, redisPolicyProblem } from '@riskboard/queue';
import { StartError } from '../startup/start-error.ts';

/** The messages of an error and its causes. */
function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}: ${messages(error.cause)}` : error.message;
}

export interface DatabaseAddresses {
  /** Migrates; not a superuser. */
  ownerUrl: string;
  /** Logins of api and workers, which own nothing; absent: these use the owner's. */
  appUrl?: string | undefined;
  systemUrl?: string | undefined;
}

/** The configured database; undefined for the embedded one. */
export function configuredDatabase(
  environment: Pick<Environment, 'DATABASE_URL' | 'DATABASE_SYSTEM_URL' | 'DATABASE_OWNER_URL'>,
): DatabaseAddresses | undefined {
  const { DATABASE_URL: appUrl, DATABASE_SYSTEM_URL: systemUrl, DATABASE_OWNER_URL: ownerUrl } = environment;
  if (ownerUrl) return { ownerUrl, appUrl, systemUrl };
  return appUrl ? { ownerUrl: appUrl } : undefined;
}

/**
 * Applies all migrations, prepares the queue, and creates the logins of the api and the workers, or sets their passwords.
 * @throws StartError when the database cannot be reached or changed
 */
export async function migrate(
  { ownerUrl, appUrl, systemUrl }: DatabaseAddresses,
  redisUrl?: string,
): Promise<void> {
  const problem = await redisPolicyProblem(redisUrl);
  if (problem !== undefined)
    throw new StartError(`REDIS_URL ${problem}.`, { exitCode: badConfigurationExit });
  try {
    await migrateToLatest(ownerUrl);
    await prepareQueue({ databaseUrl: ownerUrl, redisUrl, lockMs: 0, stallMs: 0 }, databaseRoles.system);
    if (appUrl) await ensureLogin(ownerUrl, appUrl, databaseRoles.app);
    if (systemUrl) await ensureLogin(ownerUrl, systemUrl, databaseRoles.system);
  } catch (cause) {
    if (cause instanceof NewerSchema || cause instanceof WrongEncoding)
      throw new StartError(cause.message, { exitCode: badConfigurationExit, cause });
    throw new StartError(`The database could not be prepared: ${messages(cause)}`, { cause });
  }
}
