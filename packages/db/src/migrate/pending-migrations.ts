import pg from 'pg';
import { compareSchema, type SchemaState } from './schema-state.ts';

/** What the database of an owner lacks or has in addition, read without changing it. @throws when it does not answer */
export async function pendingMigrations(databaseUrl: string): Promise<SchemaState> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await readAsOwner(client);
  } finally {
    await client.end();
  }
}

export async function readAsOwner(client: pg.ClientBase): Promise<SchemaState> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null as found`,
  );
  if (tables[0]?.found !== true) return compareSchema([]);
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return compareSchema(rows.map(({ name }) => name));
}
