import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupProblem, openDatabase, readBackupStatus } from '@riskboard/db';
import { createTestDatabase, type TestDatabase, withClient } from '@riskboard/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBackup } from '../file/read-backup.ts';
import { keepBackups, runDueBackup } from './scheduled-backups.ts';

let database: TestDatabase;
let outer: string;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  outer = await mkdtemp(join(tmpdir(), 'riskboard-schedule-'));
  folder = join(outer, 'backups');
});
afterEach(async () => {
  await database.drop();
  await rm(outer, { recursive: true });
});

/** Twelve hours away, so that no test runs at the scheduled time. */
const time = { hours: (new Date().getUTCHours() + 12) % 24, minutes: 0 };
const backups = (at = folder) => ({
  source: { ownerUrl: database.url, secrets: {}, fingerprints: {} },
  schedule: { folder: at, time, keep: 2 },
});

async function problem(): Promise<string | undefined> {
  const opened = openDatabase({ url: database.url, max: 1 });
  try {
    return backupProblem(await readBackupStatus(opened));
  } finally {
    await opened.close();
  }
}

it('a due backup is written by one of several processes, once, and outdated ones are deleted', async () => {
  await mkdir(folder);
  const former = [1, 2, 3].map((day) => `riskboard-2025010${day}T000000Z.backup`);
  for (const name of [...former, 'other.backup']) await writeFile(join(folder, name), '');

  const written = await Promise.all(Array.from({ length: 4 }, () => runDueBackup(backups())));
  expect(await runDueBackup(backups())).toBeUndefined();

  const [summary, ...more] = written.filter((one) => one !== undefined);
  expect(more).toEqual([]);
  await readBackup(summary?.file ?? '');
  const name = summary?.file.slice(folder.length + 1) ?? '';
  expect((await readdir(folder)).toSorted()).toEqual(['other.backup', former[2] ?? '', name].toSorted());
  expect(await problem()).toBeUndefined();
});

it('installations that share a folder keep the backups of each other, and those in progress', async () => {
  await using second = await createTestDatabase().then((test) => ({
    ...test,
    [Symbol.asyncDispose]: () => test.drop(),
  }));
  const ofSecond = { ...backups(), source: { ...backups().source, ownerUrl: second.url } };
  const first = (await runDueBackup(ofSecond))?.file.slice(folder.length + 1) ?? '';
  const kept = [
    first,
    `${first}.0a1b2c3d.draft`,
    ...[1, 2, 3].map((day) => first.replace(/\d{8}T/u, `2025010${day}T`)),
    'riskboard-20250101T000000Z.backup',
  ];
  for (const name of kept.slice(1)) await writeFile(join(folder, name), '');
  const own = (await runDueBackup(backups()))?.file.slice(folder.length + 1) ?? '';
  expect((await readdir(folder)).toSorted()).toEqual([...kept, own].toSorted());
});

it('a failed backup is one line and a warning until one succeeds, and is not repeated at once', async () => {
  const file = join(outer, 'file');
  await writeFile(file, '');
  const lines: string[] = [];
  const stopped = new AbortController();
  const print = (line: string, level: string): void => {
    lines.push(`${level} ${line}`);
    stopped.abort();
  };
  await keepBackups({ ...backups(file), print }, stopped.signal);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^error backup failed: BACKUP_DIR .*EEXIST/u);
  expect(await problem()).toMatch(/^the last backup failed at /u);

  expect(await runDueBackup(backups())).toBeUndefined();
  await withClient(database.adminUrl, (admin) =>
    admin.query(`update backup_status set failed_at = now() - interval '61 minutes'`),
  );
  expect(await runDueBackup(backups())).toBeDefined();
  expect(await problem()).toBeUndefined();
});

it('a folder that cannot be created fails at once', async () => {
  await expect(runDueBackup(backups('/proc/nope'))).rejects.toThrow(
    'BACKUP_DIR /proc/nope cannot be created (ENOENT)',
  );
});

it('a missing backup is a warning after a day and a half', () => {
  const status = { succeededAt: new Date('2026-01-01T00:00:00Z'), size: 1, failedAt: null };
  expect(backupProblem({ ...status, now: new Date('2026-01-02T11:59:00Z') })).toBeUndefined();
  expect(backupProblem({ ...status, now: new Date('2026-01-02T12:01:00Z') })).toBe(
    'the last backup is of 2026-01-01T00:00:00.000Z',
  );
  expect(backupProblem(undefined)).toBeUndefined();
});

const run = (statement: string): Promise<unknown> =>
  withClient(database.adminUrl, (admin) => admin.query(statement));

it('after the clock of the database was ahead, readiness warns and the next backup is written and kept', async () => {
  await mkdir(folder);
  const ahead = [1, 2, 3].map((day) => `riskboard-2999010${day}T000000Z.backup`);
  for (const name of ahead) await writeFile(join(folder, name), '');
  await run(
    `insert into backup_status (succeeded_at, failed_at, failure)
     values (now() + interval '400 days', now() + interval '401 days', 'full')`,
  );
  expect(await problem()).toMatch(/^the last backup is of .*, which is later than now/u);

  const summary = await runDueBackup(backups());
  await readBackup(summary?.file ?? '');
  expect(await problem()).toBeUndefined();
  expect(await runDueBackup(backups())).toBeUndefined();
});

it('a backup whose process was killed is a warning, waits an hour, and leaves no draft after the next one', async () => {
  await mkdir(folder);
  const draft = 'riskboard-20250101T000000Z.backup.draft';
  for (const name of [draft, 'mine.backup.draft']) await writeFile(join(folder, name), '');
  // What a killed attempt leaves in the database.
  await run(`insert into backup_status (failed_at, failure) values (now() - interval '1 minute', '')`);
  expect(await problem()).toBeUndefined();

  expect(await runDueBackup(backups())).toBeUndefined();
  expect(await problem()).toMatch(/^the last backup failed at /u);

  await run(`update backup_status set failed_at = now() - interval '61 minutes'`);
  const summary = await runDueBackup(backups());
  expect(summary).toBeDefined();
  expect(await problem()).toBeUndefined();
  expect((await readdir(folder)).toSorted()).toEqual(
    ['mine.backup.draft', summary?.file.slice(folder.length + 1) ?? ''].toSorted(),
  );
});

it('a backup that is stopped in order is written at the next start', async () => {
  const stopped = new AbortController();
  stopped.abort();
  await expect(runDueBackup(backups(), stopped.signal)).rejects.toThrow('aborted');
  expect(await problem()).toBeUndefined();
  expect(await runDueBackup(backups())).toBeDefined();
});

it('an attempt is stored before it begins, so that a kill does not repeat it at once', async () => {
  const attempts: unknown[] = [];
  const source = {
    ownerUrl: database.url,
    secrets: {},
    // Read while the attempt runs.
    get fingerprints() {
      attempts.push(run('select failed_at, failure from backup_status').then((result) => result));
      return {};
    },
  };
  await runDueBackup({ ...backups(), source });
  expect(await Promise.all(attempts)).toMatchObject([
    { rows: [{ failed_at: expect.any(Date), failure: '' }] },
  ]);
});

it('the reason of a failed backup is reported also when it cannot be stored', async () => {
  // Accepts the connection of the backup, ends the one that would store its failure, and then refuses.
  const server = createServer((socket) => {
    void run(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and application_name = 'riskboard backup'`,
    ).then(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const urls = [database.url, `postgres://owner@127.0.0.1:${(server.address() as AddressInfo).port}/none`];
  const source = {
    secrets: {},
    fingerprints: {},
    get ownerUrl() {
      return urls.shift() ?? '';
    },
  };
  await expect(runDueBackup({ ...backups(), source })).rejects.toThrow('The database cannot be reached');
  server.close();
  await run(`update backup_status set failed_at = now() - interval '61 minutes'`);
  expect(await runDueBackup(backups())).toBeDefined();
});
