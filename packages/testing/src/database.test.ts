import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './database.ts';

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  it('gives a migrated database of its own', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const mark = `t_${randomBytes(4).toString('hex')}`;
    await ask(one.url, `create table ${mark} ()`);
    const tables = `select relname from pg_class where relname in ('account', '${mark}') order by 1`;
    expect(await ask(one.url, tables)).toEqual([{ relname: 'account' }, { relname: mark }]);
    expect(await ask(two.url, tables)).toEqual([{ relname: 'account' }]);
    await Promise.all([one.drop(), two.drop()]);
  });

  it('works under a role that row-level security holds', async () => {
    const database = await createTestDatabase();
    const rows = await ask(
      database.url,
      'select rolsuper, rolbypassrls from pg_roles where rolname = current_user',
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
    await database.drop();
  });

  it('fails the test that leaves a connection open, and names what it did last', async () => {
    const database = await createTestDatabase();
    const leaked = new Client({ connectionString: database.url, application_name: 'forgotten' });
    // It is cut when the database goes.
    leaked.on('error', () => {});
    await leaked.connect();
    await leaked.query('select 42');
    await expect(database.drop()).rejects.toThrow(
      /1 connections were left open.*\n.*forgotten: idle: select 42/,
    );
    await expect(ask(database.url, 'select 1')).rejects.toThrow(/does not exist/);
  });
});
