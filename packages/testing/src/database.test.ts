import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './database.ts';
import { withClient } from './with-client.ts';

const query = <T>(url: string, sql: string): Promise<T[]> =>
  withClient(url, async (client) => (await client.query(sql)).rows as T[]);

describe('createTestDatabase', () => {
  it('creates separate, migrated databases', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const mark = `t_${randomBytes(4).toString('hex')}`;
    await query(one.url, `create table ${mark} ()`);
    const tables = `select relname from pg_class where relname in ('account', '${mark}') order by 1`;
    expect(await query(one.url, tables)).toEqual([{ relname: 'account' }, { relname: mark }]);
    expect(await query(two.url, tables)).toEqual([{ relname: 'account' }]);
    await Promise.all([one.drop(), two.drop()]);
  });

  it('connects as a role that row-level security applies to', async () => {
    const database = await createTestDatabase();
    const rows = await query(
      database.url,
      'select rolsuper, rolbypassrls from pg_roles where rolname = current_user',
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
    await database.drop();
  });

  it('drop fails when a connection is open, and names its last statement', async () => {
    const database = await createTestDatabase();
    const leaked = new Client({ connectionString: database.url, application_name: 'leaked' });
    // Dropping the database ends the connection.
    leaked.on('error', () => {});
    await leaked.connect();
    await leaked.query('select 42');
    await expect(database.drop()).rejects.toThrow(
      /1 connections were left open.*\n.*leaked: idle: select 42/,
    );
    await expect(query(database.url, 'select 1')).rejects.toThrow(/does not exist/);
  });
});
