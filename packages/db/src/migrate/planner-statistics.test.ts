import { withClient } from '@riskboard/testing';
import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EmptyDatabase, makeEmptyDatabase, migrateTo } from '../testing/empty-database.ts';

let database: EmptyDatabase;
beforeEach(async () => {
  database = await makeEmptyDatabase();
});
afterEach(() => database.drop());

const listed = async (client: pg.Client, query: string): Promise<unknown[]> =>
  (await client.query<Record<string, unknown>>(query)).rows;

const columns = `from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not a.attisdropped`;

it('migration 0012 deletes statistics about organizations and files, and changes nothing else', async () => {
  await migrateTo(database.url, '0011-access');
  const described = async (client: pg.Client) => [
    await listed(
      client,
      `select * from pg_policies where schemaname = 'public' order by tablename, policyname`,
    ),
    await listed(client, `select indexdef from pg_indexes where schemaname = 'public' order by indexname`),
    await listed(
      client,
      `select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace order by conrelid::regclass::text, 2`,
    ),
    // A table that is written again gets another file.
    await listed(
      client,
      `select relname, relfilenode, relforcerowsecurity from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
    ),
    await listed(
      client,
      `select attrelid::regclass::text, attname, format_type(atttypid, atttypmod) ${columns} order by 1, 2`,
    ),
  ];
  const statistics = (client: pg.Client) =>
    listed(
      client,
      `select attname from pg_stats where tablename = 'report_record' and attname in ('organization_id', 'file_id', 'kind') order by 1`,
    );
  await withClient(database.adminUrl, async (admin) => {
    await admin.query('set session_replication_role = replica');
    await admin.query(
      `insert into report_record (organization_id, file_id, id, kind, key, ordinal, type, state, location, name, data)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'threat', n, n, 'malware', 'active', '/', 'x', '{}'
       from generate_series(1, 100) n`,
    );
    await admin.query('analyze report_record');
    expect(await statistics(admin)).toHaveLength(3);
    const before = await described(admin);
    await migrateTo(database.url, '0012-planner-statistics');
    expect(await described(admin)).toEqual(before);
    expect(await statistics(admin)).toEqual([{ attname: 'kind' }]);
    await admin.query('analyze report_record');
    expect(await statistics(admin)).toEqual([{ attname: 'kind' }]);
  });
});

it('every table of an organization keeps no statistics about organizations', async () => {
  const kept = await withClient(database.cloneUrl, (owner) =>
    listed(
      owner,
      `select c.relname ${columns} and a.attname = 'organization_id' and coalesce(a.attstattarget, -1) <> 0`,
    ),
  );
  expect(kept).toEqual([]);
});
