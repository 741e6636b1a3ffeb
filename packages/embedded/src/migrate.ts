import { migrateToLatest } from '@riskboard/db';
import { StartError } from './say.ts';

/** The messages of an error and of what caused it. */
function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}: ${words(error.cause)}` : error.message;
}

/** Brings the database to the newest migration. @throws StartError when it cannot be reached or changed. */
export async function migrate(databaseUrl: string): Promise<void> {
  try {
    await migrateToLatest(databaseUrl);
  } catch (cause) {
    throw new StartError(`The database could not be prepared: ${words(cause)}`, { cause });
  }
}
