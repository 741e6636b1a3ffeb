import { DEFAULT_SCHEMA, runMigrations } from 'bullmq';
import { Client, type Pool } from 'pg';
import type { QueueConfig } from './config.ts';

/**
 * Creates or upgrades BullMQ's tables in PostgreSQL (schema `bullmq`); does nothing on Redis. Safe when several
 * processes start at once: BullMQ takes an advisory lock and migrates in one transaction.
 * @param role may use the tables afterwards; absent: only their owner
 * @throws when the database is absent, older than PostgreSQL 15, or migrated by a newer major of BullMQ.
 */
export async function prepareQueue(config: QueueConfig, role?: string): Promise<void> {
  if (config.redisUrl) return;
  const client = new Client({ connectionString: config.databaseUrl, connectionTimeoutMillis: 5000 });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  await client.connect();
  try {
    await runMigrations(client);
    if (role !== undefined) await grantQueue(client, role);
  } finally {
    await client.end();
  }
  if (lost) throw lost;
}

/** Whether a session may use the queue's tables, which `prepareQueue` has created. */
export async function mayUseQueue(session: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await session.query<{ usable: boolean }>(
    `select coalesce(bool_and(has_table_privilege(c.oid, 'select, insert, update, delete')), false) as usable
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') and has_schema_privilege(n.oid, 'usage')`,
    [DEFAULT_SCHEMA],
  );
  return rows[0]?.usable ?? false;
}

/** CREATE, because BullMQ creates a sequence for each queue when it first adds several messages. */
async function grantQueue(client: Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  await client.query(`
    grant usage, create on schema ${DEFAULT_SCHEMA} to ${name};
    grant select, insert, update, delete on all tables in schema ${DEFAULT_SCHEMA} to ${name};
    grant usage on all sequences in schema ${DEFAULT_SCHEMA} to ${name}`);
}
