import { badConfigurationExit } from '@riskboard/contract/environment';
import { databaseRoles, ensureLogin, migrateToLatest, NewerSchema, WrongEncoding } from '@riskboard/db';
import { prepareQueue, redisPolicyProblem } from '@riskboard/queue';
import type { DatabaseAddresses } from './addresses.ts';
import { StartError } from '../startup/start-error.ts';

/** The messages of an error and its causes. */
function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}: ${messages(error.cause)}` : error.message;
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
