import pg from 'pg';
import { sessionLimits } from '@riskboard/db';
import { asBackupError } from '../backup-error.ts';

/**
 * A connection of the owner without time limits of statements, because the COPY of a large table is one statement.
 * @throws BackupError when the database does not answer
 */
export async function connectOwner(ownerUrl: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'riskboard backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: `-c timezone=UTC -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=${sessionLimits.migrator.lockMs}`,
  });
  // The error of a lost connection reaches the running statement.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw asBackupError('The database cannot be reached', error);
  }
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
