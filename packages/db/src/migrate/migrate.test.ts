import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from '@riskboard/migrations';
import { createTestDatabase, type TestDatabase } from '@riskboard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrateToLatest } from './migrate.ts';
import { ensureRoles } from './roles.ts';

const run = promisify(execFile);
let clone: TestDatabase;
/** An empty database on the server of the clone, with the same owner. */
let emptyUrl: string;
let name: string;

async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  clone = await createTestDatabase();
  name = `riskboard_empty_${randomBytes(6).toString('hex')}`;
  const owner = new URL(clone.url).username;
  await asOwner(clone.adminUrl, (admin) =>
    admin.query(`create database ${name} template template0 owner ${admin.escapeIdentifier(owner)}`),
  );
  const url = new URL(clone.url);
  url.pathname = `/${name}`;
  emptyUrl = url.href;
});
afterEach(async () => {
  await asOwner(clone.adminUrl, (admin) => admin.query(`drop database ${name} with (force)`));
  await clone.drop();
});

const applied = async (url: string): Promise<string[]> => {
  const { rows } = await asOwner(url, (client) =>
    client.query<{ name: string }>('select name from kysely_migration order by name'),
  );
  return rows.map((row) => row.name);
};

describe('migrating', () => {
  it('migrates an empty database to the newest version, and does nothing the second time', async () => {
    const all = Object.keys(await migrations.getMigrations());
    await migrateToLatest(emptyUrl);
    expect(await applied(emptyUrl)).toEqual(all);
    await migrateToLatest(emptyUrl);
    expect(await applied(emptyUrl)).toEqual(all);
  });

  it('runs each migration once when several processes start at once', async () => {
    const program = `import { migrateToLatest } from ${JSON.stringify(new URL('migrate.ts', import.meta.url).href)}; await migrateToLatest(process.env.URL);`;
    const start = () =>
      run(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, URL: emptyUrl },
        cwd: import.meta.dirname,
      });
    await Promise.all([start(), start(), start()]);
    expect(await applied(emptyUrl)).toEqual(await applied(clone.url));
  });

  it('rolls back a migration that fails, and names it', async () => {
    await asOwner(emptyUrl, (client) => client.query('create table job ()'));
    await expect(migrateToLatest(emptyUrl)).rejects.toThrow(/^Migration 0002-jobs failed$/u);
    const { rows } = await asOwner(emptyUrl, (client) =>
      client.query(`select relname from pg_class where relkind = 'r' and relname in ('job', 'organization')`),
    );
    expect(rows).toEqual([{ relname: 'job' }]);
  });
});

async function migrateTo(url: string, migration: string): Promise<void> {
  await asOwner(url, ensureRoles);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { error } = await new Migrator({ db, provider: migrations }).migrateTo(migration);
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}

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
  const adminUrl = new URL(clone.adminUrl);
  adminUrl.pathname = `/${name}`;
  await asOwner(adminUrl.href, async (admin) => {
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

  const read = await asOwner(adminUrl.href, async (admin) => ({
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

it('every SQL file of the migrations runs, in the order of its number', async () => {
  const folder = new URL('../../../../migrations/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  expect(Object.keys(await migrations.getMigrations())).toEqual(
    files.map((file) => file.replace('.sql', '')),
  );
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_file, index) => index + 1));
});
