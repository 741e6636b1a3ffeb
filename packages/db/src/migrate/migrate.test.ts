import { withClient } from '@riskboard/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readdir } from 'node:fs/promises';
import type pg from 'pg';
import { migrations, stepsOf } from '@riskboard/migrations';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../connection/client.ts';
import { restoreRecords } from '../trash/restore-records.ts';
import { withOrganization } from '../with-organization.ts';
import { tryBackupLock, tryMigrationLock, tryReadingLock } from '../locks/maintenance-locks.ts';
import { migrateToLatest } from './migrate.ts';
import { type EmptyDatabase, makeEmptyDatabase, migrateTo } from '../testing/empty-database.ts';

const run = promisify(execFile);
let database: EmptyDatabase;
let emptyUrl: string;
beforeEach(async () => {
  database = await makeEmptyDatabase();
  emptyUrl = database.url;
});
afterEach(() => database.drop());

const applied = async (url: string): Promise<string[]> => {
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>('select name from kysely_migration order by name'),
  );
  return rows.map((row) => row.name);
};

describe('migrating', () => {
  it('applies every migration to an empty database, and does nothing the second time', async () => {
    const all = Object.keys(await migrations.getMigrations());
    await migrateToLatest(emptyUrl);
    expect(await applied(emptyUrl)).toEqual(all);
    await migrateToLatest(emptyUrl);
    expect(await applied(emptyUrl)).toEqual(all);
  });

  it('applies each migration once when several processes start together', async () => {
    const program = `import { migrateToLatest } from ${JSON.stringify(new URL('migrate.ts', import.meta.url).href)}; await migrateToLatest(process.env.URL);`;
    const start = () =>
      run(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, URL: emptyUrl },
        cwd: import.meta.dirname,
      });
    await Promise.all([start(), start(), start()]);
    expect(await applied(emptyUrl)).toEqual(await applied(database.cloneUrl));
  });

  it('waits for a process that migrates, without a waiting statement: a concurrent build of an index would wait for it', async () => {
    await withClient(emptyUrl, async (first) => {
      expect(await tryMigrationLock(first)).toBe(true);
      await first.query('select 1');
      const second = migrateToLatest(emptyUrl);
      const waits = async () => {
        const { rows } = await withClient(database.adminUrl, (admin) =>
          admin.query<{ wait: string }>(
            `select concat_ws(' ', state, wait_event_type) as wait from pg_stat_activity
             where datname = $1 and query like '%''migration''%' and pid <> pg_backend_pid()`,
            [new URL(emptyUrl).pathname.slice(1)],
          ),
        );
        return rows.map(({ wait }) => wait);
      };
      await vi.waitFor(async () => expect(await waits()).toEqual(['idle Client']), { interval: 20 });
      const { rows: tables } = await first.query(`select to_regclass('organization') as found`);
      expect(tables).toEqual([{ found: null }]);
      await first.query('select pg_advisory_unlock_all()');
      await second;
    });
    expect(await applied(emptyUrl)).toEqual(await applied(database.cloneUrl));
  });

  it.each([
    ['a backup', tryReadingLock],
    ['a scheduled backup or a restore', tryBackupLock],
  ])('waits for %s, longer than for a lock, without a lock of a table', async (_what, lock) => {
    await migrateTo(emptyUrl, '0008-email-change');
    await withClient(emptyUrl, async (backup) => {
      expect(await lock(backup)).toBe(true);
      await backup.query('begin; lock table vulnerability in access share mode');
      const onWait = vi.fn<() => void>();
      const migrating = migrateToLatest(emptyUrl, { lockMs: 200, idleInTransactionMs: 60_000 }, { onWait });
      await vi.waitFor(() => expect(onWait).toHaveBeenCalledOnce());
      await withClient(emptyUrl, async (old) => {
        await old.query(`set lock_timeout = 100`);
        // Longer than the ten attempts of a migration that waits for the lock of the table.
        for (let n = 0; n < 25; n += 1) {
          await old.query('select from vulnerability; select pg_sleep(0.1)');
        }
      });
      await backup.query('rollback');
      await backup.query('select pg_advisory_unlock_all()');
      await migrating;
      expect(onWait).toHaveBeenCalledOnce();
    });
    expect(await applied(emptyUrl)).toEqual(Object.keys(await migrations.getMigrations()));
  });

  it('changes nothing when it is aborted while it waits for a backup', async () => {
    await migrateTo(emptyUrl, '0008-email-change');
    await withClient(emptyUrl, async (backup) => {
      await tryReadingLock(backup);
      const stopped = new AbortController();
      const wait = { onWait: () => stopped.abort(), signal: stopped.signal };
      await expect(migrateToLatest(emptyUrl, undefined, wait)).rejects.toThrow('aborted');
    });
    expect(await applied(emptyUrl)).toHaveLength(8);
  });

  it('repeats a migration that waited too long for a lock of an old process', async () => {
    await migrateTo(emptyUrl, '0008-email-change');
    await withClient(emptyUrl, async (oldProcess) => {
      await oldProcess.query('begin; lock table vulnerability in access share mode');
      const migrating = migrateToLatest(emptyUrl, { lockMs: 200, idleInTransactionMs: 60_000 });
      const attempts = new Set<string>();
      await vi.waitFor(
        async () => {
          const { rows } = await withClient(database.adminUrl, (admin) =>
            admin.query<{ started: string }>(
              `select xact_start::text as started from pg_stat_activity
               where datname = $1 and wait_event_type = 'Lock'`,
              [new URL(emptyUrl).pathname.slice(1)],
            ),
          );
          for (const { started } of rows) attempts.add(started);
          expect(attempts.size).toBeGreaterThan(1);
        },
        { interval: 20 },
      );
      await oldProcess.query('rollback');
      await migrating;
    });
    expect(await applied(emptyUrl)).toEqual(Object.keys(await migrations.getMigrations()));
  });

  it('refuses a database that a newer version has migrated, in one sentence, and changes nothing', async () => {
    await migrateTo(emptyUrl, '0004-reports');
    await withClient(emptyUrl, (client) =>
      client.query(`insert into kysely_migration values ('9999-future', now()::text)`),
    );
    await expect(migrateToLatest(emptyUrl)).rejects.toThrow(
      'The database was migrated by a newer version of Riskboard (9999-future). Start that version, or restore a backup that this version made.',
    );
    expect(await applied(emptyUrl)).toHaveLength(5);
  });

  it('runs concurrent builds of indexes outside a transaction, in their order, and others together', async () => {
    const names = Object.keys(await migrations.getMigrations());
    expect(await stepsOf(names.slice(0, 9))).toEqual([{ last: '0009-calendar-days', isConcurrent: false }]);
    expect(await stepsOf([])).toEqual([]);
  });

  it('rolls back a failed migration and reports its name', async () => {
    await withClient(emptyUrl, (client) => client.query('create table job ()'));
    await expect(migrateToLatest(emptyUrl)).rejects.toThrow(/^Migration 0002-jobs failed$/u);
    const { rows } = await withClient(emptyUrl, (client) =>
      client.query(`select relname from pg_class where relkind = 'r' and relname in ('job', 'organization')`),
    );
    expect(rows).toEqual([{ relname: 'job' }]);
  });
});

describe('migration 0009 (calendar days)', () => {
  const organization = '019a0000-0000-7000-8000-000000000001';
  const id = '019a0000-0000-7000-8000-000000000002';
  /** Of the records that were deleted before the migration. */
  const deleted = {
    asset: '019a0000-0000-7000-8000-000000000003',
    vulnerability: '019a0000-0000-7000-8000-000000000004',
    threat: '019a0000-0000-7000-8000-000000000005',
  } as const;
  const days = {
    asset: { start_date: '2024-05-03' },
    vulnerability: { discovery_date: '2024-05-04', fix_date: null },
    threat: {},
  } as const;
  let old: EmptyDatabase;
  let before: Map<string, Record<string, unknown>>;

  /** Runs as the owner, in the organization and far from UTC: the time zone of a session must not matter. */
  const inOrganization = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
    withClient(old.url, async (client) => {
      await client.query(`set time zone 'America/Los_Angeles'; set app.organization_id = '${organization}'`);
      return work(client);
    });

  const trash = () =>
    inOrganization(async (client) => {
      const { rows } = await client.query<{ noun: string; data: Record<string, unknown> }>(
        'select noun, data from deleted_record',
      );
      return new Map(rows.map(({ noun, data }) => [noun, data]));
    });

  beforeAll(async () => {
    old = await makeEmptyDatabase();
    await migrateTo(old.url, '0008-email-change');
    await inOrganization(async (client) => {
      await client.query(
        `insert into organization (organization_id, name) values ('${organization}', 'Quay')`,
      );
      await client.query(
        `insert into project (organization_id, id, name, start_date, planned_end_date)
         values ('${organization}', '${id}', 'Harbour', '2024-05-01T00:00:00Z', '2024-05-02T23:59:59Z')`,
      );
      await client.query(
        `insert into asset (organization_id, id, name, asset_type_id, project_id, start_date)
         select '${organization}', asset::uuid, 'Crane', 1, '${id}', '2024-05-03T23:59:59.999Z'
         from unnest(array['${id}', '${deleted.asset}']) asset`,
      );
      await client.query(
        `insert into vulnerability (organization_id, id, name, discovery_date, fix_date)
         select '${organization}', vulnerability::uuid, 'Overflow', '2024-05-04T00:00:00Z', null
         from unnest(array['${id}', '${deleted.vulnerability}']) vulnerability`,
      );
      await client.query(
        `insert into threat (organization_id, id, name)
         values ('${organization}', '${deleted.threat}', 'Phishing')`,
      );
      for (const [table, one] of Object.entries(deleted))
        await client.query(
          `with deleted as (delete from ${table} where id = '${one}' returning *)
           insert into deleted_record (organization_id, noun, id, data, links)
           select organization_id, '${table}', id, to_jsonb(deleted), '{"assets": [], "files": []}' from deleted`,
        );
    });
    before = await trash();
    await migrateToLatest(old.url);
  });
  afterAll(() => old?.drop());

  it('keeps the UTC day of every date', async () => {
    const rows = await inOrganization(async (client) => {
      const { rows: found } = await client.query(
        `select p.start_date::text, p.planned_end_date::text, a.start_date::text as asset_start_date,
           v.discovery_date::text, v.fix_date::text
         from project p, asset a, vulnerability v where v.id = '${id}'`,
      );
      return found as unknown[];
    });
    expect(rows).toEqual([
      {
        start_date: '2024-05-01',
        planned_end_date: '2024-05-02',
        asset_start_date: '2024-05-03',
        discovery_date: '2024-05-04',
        fix_date: null,
      },
    ]);
  });

  it.each(['asset', 'vulnerability', 'threat'] as const)(
    'keeps the UTC day of every date of a deleted %s, and its other fields',
    async (table) => {
      expect(before.get(table)).toHaveProperty('id', deleted[table]);
      expect((await trash()).get(table)).toEqual({ ...before.get(table), ...days[table] });
    },
  );

  it('keeps row-level security in force for the trash', async () => {
    const { rows } = await withClient(old.url, (client) =>
      client.query(`select relforcerowsecurity from pg_class where relname = 'deleted_record'`),
    );
    expect(rows).toEqual([{ relforcerowsecurity: true }]);
  });

  // Last, because it takes the vulnerability from the trash.
  it('restores a vulnerability that was deleted before it, with its day', async () => {
    const opened = openDatabase({ url: old.url, max: 1 });
    try {
      const restored = await withOrganization(opened, organization, async (trx) => {
        await restoreRecords(trx, 'vulnerability', [deleted.vulnerability]);
        return trx
          .selectFrom('vulnerability')
          .select(['name', 'discovery_date', 'fix_date'])
          .where('id', '=', deleted.vulnerability)
          .execute();
      });
      expect(restored).toEqual([{ name: 'Overflow', discovery_date: '2024-05-04', fix_date: null }]);
    } finally {
      await opened.close();
    }
  });
});

it('0010 renames `place` to `location` in warnings and issues that are already stored', async () => {
  await migrateTo(emptyUrl, '0009-calendar-days');
  const id = '00000000-0000-7000-8000-000000000001';
  const warnings = [
    { code: 'nul', message: 'NUL', place: '/objects/1', count: 2 },
    { code: 'incomplete-page', message: 'Incomplete', count: 1 },
  ];
  const issue = { type: 'malware', stixId: null, outcome: 'revoked', reason: 'Revoked' };
  const result = {
    skipped: 2,
    issues: [
      { place: '/objects/3', ...issue },
      { place: '/objects/4', ...issue },
    ],
  };
  // The tables force row level security on their owner; a superuser passes it.
  await withClient(database.adminUrl, async (admin) => {
    await admin.query(`set session_replication_role = replica`);
    await admin.query(
      `insert into report_file (organization_id, id, name, content_id, media, size, sha256, parse_job_id, warnings)
       values ($1, $1, 'a.json', $1, 'json', 1, '', $1, $2)`,
      [id, JSON.stringify(warnings)],
    );
    await admin.query(
      `insert into job (organization_id, id, kind, payload, result)
       values ($1, $1, 'stix.extract', '{}', $2), ($1, gen_random_uuid(), 'stix.extract', '{}', '{"issues": []}')`,
      [id, JSON.stringify(result)],
    );
  });

  await migrateTo(emptyUrl, '0010-location');

  const read = await withClient(database.adminUrl, async (admin) => ({
    file: await admin.query<{ warnings: unknown }>('select warnings from report_file'),
    jobs: await admin.query<{ result: unknown }>('select result from job order by id = $1 desc', [id]),
  }));
  expect(read.file.rows[0]?.warnings).toEqual([
    { code: 'nul', message: 'NUL', location: '/objects/1', count: 2 },
    { code: 'incomplete-page', message: 'Incomplete', count: 1 },
  ]);
  expect(read.jobs.rows.map((job) => job.result)).toEqual([
    {
      skipped: 2,
      issues: [
        { location: '/objects/3', ...issue },
        { location: '/objects/4', ...issue },
      ],
    },
    { issues: [] },
  ]);
});

it('every SQL file is a migration, in the order of its number', async () => {
  const folder = new URL('../../../../migrations/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  expect(Object.keys(await migrations.getMigrations())).toEqual(
    files.map((file) => file.replace('.sql', '')),
  );
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_file, index) => index + 1));
});
