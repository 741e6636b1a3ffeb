import { migrateToLatest } from '@riskboard/db';
import { StartError } from '../startup/start-error.ts';

/** The messages of an error and its causes. */
function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}: ${messages(error.cause)}` : error.message;
}

/** Applies all migrations. @throws StartError when the database cannot be reached or changed */
export async function migrate(databaseUrl: string): Promise<void> {
  try {
    await migrateToLatest(databaseUrl);
  } catch (cause) {
    throw new StartError(`The database could not be prepared: ${messages(cause)}`, { cause });
  }
}
