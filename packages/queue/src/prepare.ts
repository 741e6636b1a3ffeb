import { runMigrations } from 'bullmq';
import { Client } from 'pg';
import type { QueueConfig } from './config.ts';

/**
 * Creates or upgrades BullMQ's tables in PostgreSQL (schema `bullmq`); does nothing on Redis. Safe when several
 * processes start at once: BullMQ takes an advisory lock and migrates in one transaction.
 * @throws when the database is absent, older than PostgreSQL 15, or migrated by a newer major of BullMQ.
 */
export async function prepareQueue(config: QueueConfig): Promise<void> {
  if (config.redisUrl) return;
  const client = new Client({ connectionString: config.databaseUrl, connectionTimeoutMillis: 5000 });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
  if (lost) throw lost;
}
