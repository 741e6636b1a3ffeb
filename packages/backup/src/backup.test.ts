import { createEmptyDatabase, withClient } from '@riskboard/testing';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseRoles, migrateToLatest } from '@riskboard/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBackup } from './create/create-backup.ts';
import { findReaderRole } from './create/reader-role.ts';
import { readBackup } from './file/read-backup.ts';
import { checkBackup, restoreBackup } from './restore/restore-backup.ts';
import { contentOf, fillDatabase, makeDatabases, type TestDatabases } from './testing/databases.ts';

let databases: TestDatabases;
let folder: string;
let file: string;
let original: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-backup-'));
  databases = await makeDatabases();
  await fillDatabase(databases.source.adminUrl);
  original = await contentOf(databases.source.adminUrl);
  file = join(folder, 'all.backup');
  await create(file);
});
afterAll(async () => {
  await databases.drop();
  await rm(folder, { recursive: true });
});

const create = (path: string, ownerUrl = databases.source.url) =>
  createBackup({ ownerUrl, secrets: { sessionSecret: 'secret' }, fingerprints: {} }, path);
const restore = async (path: string, force = false) =>
  restoreBackup({ ownerUrl: databases.target.url, force }, await checkBackup(path));

describe('a backup', () => {
  it('has every row of every table, of all organizations, though the owner is under row-level security', async () => {
    const { header, end } = await readBackup(file);
    const rows = Object.entries(end.tables).map(([name, table]) => [name, String(table.rows)]);
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(Object.entries(original).map(([name, content]) => [name, content.split(' ')[0]])),
    );
    expect(end.tables['vulnerability']?.rows).toBe(1000);
    expect(header.secrets).toEqual({ sessionSecret: 'secret' });
  });

  it('can be read by its owner only, and leaves no draft', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });

  it('never overwrites a file', async () => {
    const before = await readFile(file);
    await expect(create(file)).rejects.toThrow(`${file} exists already`);
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  it('that is written twice under one name at the same time is one complete file', async () => {
    const path = join(folder, 'twice.backup');
    const results = await Promise.allSettled([create(path), create(path)]);
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(refused).toEqual([expect.stringContaining(`${path} exists already`)]);
    await expect(checkBackup(path)).resolves.toMatchObject({ path });
    expect((await readdir(folder)).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });

  it('is one moment: rows that are written meanwhile are not in it', async () => {
    const path = join(folder, 'moment.backup');
    const insert = `insert into organization (organization_id, name) values (gen_random_uuid(), 'Late')`;
    let written: Promise<unknown> | undefined;
    await createBackup({ ownerUrl: databases.source.url, secrets: {}, fingerprints: {} }, path, {
      onProgress() {
        written ??= withClient(databases.source.adminUrl, (admin) => admin.query(insert));
      },
    });
    await written;
    const { end } = await readBackup(path);
    expect(end.tables['organization']?.rows).toBe(2);
    await withClient(databases.source.adminUrl, (admin) =>
      admin.query(`delete from organization where name = 'Late'`),
    );
  });

  it('is refused while a migration runs', async () => {
    const path = join(folder, 'migrating.backup');
    await withClient(databases.source.url, async (migrating) => {
      await migrating.query(`select pg_advisory_lock(hashtextextended('backup reading', 0))`);
      await expect(create(path)).rejects.toThrow(
        'A migration changes the tables at this moment. Run the backup again when it has ended.',
      );
    });
    await create(path);
  });

  it('is refused with the remedy when a table would hide rows', async () => {
    const admin = (text: string) => withClient(databases.source.adminUrl, (client) => client.query(text));
    await admin('drop policy backup on threat; revoke select on asset from riskboard_backup');
    const path = join(folder, 'hidden.backup');
    await expect(create(path)).rejects.toThrow(
      /may not read every row of asset, threat\. Start this version/u,
    );
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await migrateToLatest(databases.source.url);
    await create(path);
  });

  it('of a version without the backup role is refused, and says to copy the data before it is migrated', async () => {
    const login = 'riskboard_owner_without_role';
    await withClient(databases.source.adminUrl, async (client) => {
      await client.query(`create role ${login}`);
      // No other test may see the cluster without the role: the check runs in this transaction.
      await client.query('begin');
      await client.query(`alter role ${databaseRoles.backup} rename to riskboard_backup_away`);
      await client.query(`set local role ${login}`);
      await expect(findReaderRole(client)).rejects.toThrow(
        /copy DATA_DIR, or use pg_dump as a superuser, before/u,
      );
      await client.query('rollback');
      await client.query(`drop role ${login}`);
    });
  });

  it('is refused for a login that only serves requests', async () => {
    const login = 'riskboard_narrow_backup';
    const url = Object.assign(new URL(databases.source.url), { username: login, password: 'narrow' }).href;
    const admin = (text: string) => withClient(databases.source.adminUrl, (client) => client.query(text));
    await admin(`create role ${login} login password 'narrow'; grant ${databaseRoles.app} to ${login}`);
    try {
      await expect(create(join(folder, 'narrow.backup'), url)).rejects.toThrow(/Set DATABASE_OWNER_URL/u);
    } finally {
      await admin(`drop role ${login}`);
    }
  });
});

describe('a damaged file', () => {
  it('is refused before the database is changed', async () => {
    const path = join(folder, 'broken.backup');
    const whole = await readFile(file);
    await writeFile(path, whole.subarray(0, whole.length - 10));
    const before = await contentOf(databases.target.adminUrl);
    await expect(restore(path, true)).rejects.toThrow('The file is incomplete');
    expect(await contentOf(databases.target.adminUrl)).toEqual(before);
  });
});

describe('a backup of a newer version', () => {
  it('is refused before the database is changed', async () => {
    const path = join(folder, 'newer.backup');
    const admin = (text: string) => withClient(databases.source.adminUrl, (client) => client.query(text));
    await admin(`insert into kysely_migration values ('9999-future', now()::text)`);
    try {
      await create(path);
    } finally {
      await admin(`delete from kysely_migration where name = '9999-future'`);
    }
    const before = await contentOf(databases.target.adminUrl);
    await expect(restore(path, true)).rejects.toThrow(
      /with the migration 9999-future, which this version does not have\. Restore it with that version/u,
    );
    expect(await contentOf(databases.target.adminUrl)).toEqual(before);
  });
});

describe('restoring', () => {
  it('into an empty database gives the same rows under the same policies, owners and privileges', async () => {
    const { rows } = await restore(file);
    expect(rows).toBeGreaterThan(1000);
    expect(await contentOf(databases.target.adminUrl)).toEqual(original);
    expect(await structureOf(databases.target.adminUrl)).toEqual(
      await structureOf(databases.source.adminUrl),
    );
  });

  it('continues sequences after their last value', async () => {
    const last = (url: string) =>
      withClient(url, async (admin) => {
        const text = `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`;
        return (await admin.query<{ last_value: string | null }>(text)).rows;
      });
    const restored = await last(databases.target.adminUrl);
    expect(restored).toEqual(await last(databases.source.adminUrl));
    expect(restored.some(({ last_value: value }) => Number(value) > 0)).toBe(true);
  });

  it('into a database with data is refused without --force and changes nothing', async () => {
    const before = await contentOf(databases.target.adminUrl);
    await expect(restore(file)).rejects.toThrow('The database is not empty. --force replaces');
    expect(await contentOf(databases.target.adminUrl)).toEqual(before);
  });

  it('with --force replaces what was there', async () => {
    await withClient(databases.target.adminUrl, (admin) =>
      admin.query(
        `insert into organization (organization_id, name) values (gen_random_uuid(), 'Other'); delete from vulnerability`,
      ),
    );
    await restore(file, true);
    expect(await contentOf(databases.target.adminUrl)).toEqual(original);
  });

  it('with --force replaces the newer schema of a version that is rolled back', async () => {
    // As the owner, who runs the migrations.
    await withClient(databases.target.url, (owner) =>
      owner.query(`
        insert into kysely_migration (name, timestamp) values ('9999-newer', now()::text);
        create table newer (organization_id uuid references organization);
        alter table alert_rule add column newer text`),
    );
    await restore(file, true);
    expect(await contentOf(databases.target.adminUrl)).toEqual(original);
    await migrateToLatest(databases.target.url);
  });

  it('of rows that refer to a missing record is refused and changes nothing', async () => {
    const path = join(folder, 'dangling.backup');
    const admin = (text: string) => withClient(databases.source.adminUrl, (client) => client.query(text));
    const link = '00000000-0000-4000-8000-000000000049';
    await admin(`
      set session_replication_role = replica;
      insert into report_record (organization_id, file_id, id, kind, key, ordinal, type, state, location, name, data, vulnerability_id)
      select organization_id, gen_random_uuid(), '${link}', 'vulnerability', 'x', 1, 'x', 'active', '/', 'x', '{}', '${link}'
      from organization limit 1`);
    try {
      await create(path);
    } finally {
      await admin(`set session_replication_role = replica; delete from report_record where id = '${link}'`);
    }
    const before = await contentOf(databases.target.adminUrl);
    await expect(restore(path, true)).rejects.toThrow(/"report_record" violate a foreign key/u);
    expect(await contentOf(databases.target.adminUrl)).toEqual(before);
  });

  it('of names that this database does not distinguish is refused, names them, and changes nothing', async () => {
    const path = join(folder, 'two-cases.backup');
    const source = await createEmptyDatabase(`locale_provider libc lc_collate 'C' lc_ctype 'C'`);
    try {
      await migrateToLatest(source.url);
      await withClient(source.adminUrl, (admin) =>
        admin.query(`
          insert into organization (organization_id, name) values (gen_random_uuid(), 'Quay');
          insert into vignette (organization_id, id, name, scorecard_name, rated_cells)
          select organization_id, gen_random_uuid(), vignette, 'x', 1 from organization, unnest('{жар,ЖАР}'::text[]) vignette`),
      );
      await create(path, source.url);
    } finally {
      await source.drop();
    }
    const before = await contentOf(databases.target.adminUrl);
    await expect(restore(path, true)).rejects.toThrow(
      /the database is unchanged: two rows have the same key in this database, .* \(organization_id, name_key\)=\(.*, жар\) already exists/u,
    );
    expect(await contentOf(databases.target.adminUrl)).toEqual(before);
  });

  it('into a database that is in use is refused', async () => {
    await withClient(databases.target.adminUrl, async () => {
      await expect(restore(file, true)).rejects.toThrow(
        /The database is in use .* Stop every api and worker/u,
      );
    });
  });

  it('that fails in the middle leaves the database as it was', async () => {
    const before = await contentOf(databases.target.adminUrl);
    const stopped = new AbortController();
    const failing = restoreBackup({ ownerUrl: databases.target.url, force: true }, await checkBackup(file), {
      signal: stopped.signal,
      onProgress({ phase, done, total }) {
        if (phase === 'writing the database' && done > total / 2) stopped.abort();
      },
    });
    await expect(failing).rejects.toThrow('aborted');
    expect(await contentOf(databases.target.adminUrl)).toEqual(before);
  });

  it('of a scheduled backup does not count that backup as failed', async () => {
    const status = (url: string) =>
      withClient(url, (client) => client.query('select failed_at, failure from backup_status'));
    const admin = (text: string) => withClient(databases.source.adminUrl, (client) => client.query(text));
    await admin(`insert into backup_status (failed_at, failure) values (now(), '')`);
    const path = join(folder, 'scheduled.backup');
    await create(path);
    await admin('delete from backup_status');
    await restore(path, true);
    expect((await status(databases.target.adminUrl)).rows).toEqual([{ failed_at: null, failure: '' }]);
  });
});

/** Indexes, constraints, triggers, policies and security flags. */
const structureOf = (adminUrl: string): Promise<unknown[]> =>
  withClient(adminUrl, async (admin) => {
    const found: unknown[] = [];
    for (const text of [
      `select indexdef from pg_indexes where schemaname = 'public' order by indexname`,
      `select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint
         where connamespace = 'public'::regnamespace order by 1, 2`,
      `select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
      `select tablename, policyname, roles, cmd, qual, with_check from pg_policies order by 1, 2`,
      `select relname, relrowsecurity, relforcerowsecurity from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
      `select table_name, grantee, privilege_type from information_schema.table_privileges
         where table_schema = 'public' and grantee like 'riskboard%'
           order by 1, 2, 3`,
    ])
      found.push((await admin.query(text)).rows);
    return found;
  });
