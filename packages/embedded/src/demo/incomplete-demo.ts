import { Client } from 'pg';
import { readDatabaseSettings, saveDatabaseSettings } from '../data/data-folder.ts';
import type { Secrets } from '../data/secrets.ts';
import { emptyDatabase, type EmbeddedDatabase } from '../database/embedded-database.ts';
import type { Print } from '../startup/start-error.ts';

/** Of the account of the demo organization. */
export const demoEmail = 'demo@riskboard.local';

/** Whether the database has another account, or its user has logged in to the demo organization. */
async function isUsed(adminUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ used: boolean }>(
      `select exists (select from account where email <> $1)
         or exists (select from activity where action = 'account.signed-in') as used`,
      [demoEmail],
    );
    return rows[0]?.used !== false;
  } finally {
    await client.end();
  }
}

export interface StartedDatabase {
  folder: string;
  secrets: Secrets;
  database: EmbeddedDatabase;
  print: Print;
}

/**
 * Empties a database whose demo organization could not be completed before, so that this start makes it again
 * with a new password. Once its user has logged in, what they entered is kept: the organization stays as it is.
 */
export async function removeIncompleteDemo({
  folder,
  secrets,
  database,
  print,
}: StartedDatabase): Promise<void> {
  const { demoIncomplete = false } = await readDatabaseSettings(folder);
  if (!demoIncomplete) return;
  if (await isUsed(database.adminUrl))
    print('  The demo organization is not complete, and stays so, because it has been used.', 'warn');
  else await emptyDatabase(folder, secrets, database.cluster);
  await saveDatabaseSettings(folder, { demoIncomplete: undefined });
}
