import { withClient } from '@riskboard/testing';
import pg from 'pg';
import { migrations } from '@riskboard/migrations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseRoles } from '../connection/roles.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { migrateToLatest } from './migrate.ts';
import { makeEmptyDatabase, migrateTo } from '../testing/empty-database.ts';
import { ensureBackupAccess } from './repair-access.ts';
import { readAccess } from './read-access.ts';

let database: OpenDatabase;
let owner: pg.Client;
let admin: pg.Client;
beforeAll(async () => {
  database = await openClone();
  owner = new pg.Client({ connectionString: database.clone.url });
  admin = new pg.Client({ connectionString: database.clone.adminUrl });
  await Promise.all([owner.connect(), admin.connect()]);
});
afterAll(async () => {
  await Promise.all([owner.end(), admin.end()]);
  await database.end();
});

/** `pnpm -C packages/db codegen` runs this test with `--update`, which writes the file. */
it('access.sql has every policy, owner and privilege of the migrated database', async () => {
  // The migrations alone: migrateToLatest would grant what the file has and a migration has revoked.
  const empty = await makeEmptyDatabase();
  const statements = await (async () => {
    try {
      await migrateTo(empty.url, Object.keys(await migrations.getMigrations()).at(-1) ?? '');
      return await withClient(empty.url, async (client) => {
        await ensureBackupAccess(client);
        return readAccess(client);
      });
    } finally {
      await empty.drop();
    }
  })();
  expect(statements.length).toBeGreaterThan(200);
  await expect(statements.map((statement) => `${statement};\n`).join('')).toMatchFileSnapshot('access.sql');
});

describe('migrating a database that other tools restored', () => {
  it('restores every policy, owner and privilege, and the product can read again', async () => {
    const organizationId = await makeOrganization(database);
    const before = await readAccess(owner);
    const roles = Object.values(databaseRoles).join(', ');
    // As pg_restore leaves it on a server without the roles.
    await admin.query(`
      revoke all on all tables in schema public from ${roles};
      revoke all on all sequences in schema public from ${roles};
      revoke all on all functions in schema public from ${roles};
      revoke all on schema public from ${roles};
      grant execute on all functions in schema public to public;
      do $$
      declare found record;
      begin
        for found in select policyname, tablename from pg_policies where schemaname = 'public' and policyname = 'system' loop
          execute format('drop policy %I on %I', found.policyname, found.tablename);
        end loop;
        for found in select p.oid::regprocedure as name from pg_proc p join pg_roles r on r.oid = p.proowner
          where r.rolname = any ('{${roles}}') loop
          execute format('alter function %s owner to %I', found.name, '${owner.user}');
        end loop;
        alter table job no force row level security;
      end $$;`);
    const { rows } = await admin.query<{ columns: string }>(
      `select string_agg(format('revoke all (%I) on %I from %I', a.attname, c.relname, r.rolname), '; ') as columns
       from pg_attribute a join pg_class c on c.oid = a.attrelid, aclexplode(a.attacl) e join pg_roles r on r.oid = e.grantee
       where c.relnamespace = 'public'::regnamespace`,
    );
    await admin.query(rows[0]?.columns ?? '');
    expect((await readAccess(owner)).length).toBeLessThan(before.length / 2);

    await migrateToLatest(database.clone.url);

    expect(await readAccess(owner)).toEqual(before);
    const found = await database.system.selectFrom('organization').select('organization_id').execute();
    expect(found).toEqual([{ organization_id: organizationId }]);
  });

  it('says what to run when the tables belong to another role', async () => {
    await admin.query('alter table job owner to current_user; revoke all on threat from riskboard_app');
    await expect(migrateToLatest(database.clone.url)).rejects.toThrow(
      /The tables belong to the role \S+, not to \S+\. Let an administrator run/u,
    );
    const remedy = await migrateToLatest(database.clone.url).catch(
      (error: unknown) => (error as Error).message,
    );
    await admin.query(String(remedy).split('in this database: ')[1] ?? '');
    await migrateToLatest(database.clone.url);
    await expect(database.app.selectFrom('threat').select('id').execute()).resolves.toEqual([]);
  });
});

describe('the backup role', () => {
  it('can read every row of every table and change none', async () => {
    await owner.query(`set role ${databaseRoles.backup}`);
    const { rows: tables } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of tables) {
      const text = `select count(*)::int as rows from ${name}`;
      const [seen, all] = [await owner.query(text), await admin.query(text)];
      expect([name, seen.rows]).toEqual([name, all.rows]);
    }
    await expect(owner.query('delete from organization')).rejects.toThrow(/permission denied/u);
    await owner.query('reset role');
  });

  it('is not inherited by the owner, who sees no organization without entering it', async () => {
    const { rows } = await owner.query('select count(*)::int as rows from project');
    expect(rows).toEqual([{ rows: 0 }]);
    const { rows: inherited } = await owner.query<{ inherits: boolean }>(
      `select pg_has_role($1, 'usage') as inherits`,
      [databaseRoles.backup],
    );
    expect(inherited).toEqual([{ inherits: false }]);
  });
});
