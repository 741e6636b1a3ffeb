import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseRoles, tryBackupLock } from '@riskboard/db';
import type pg from 'pg';
import { BackupError } from '../backup-error.ts';
import { type BackupSource, type BackupSummary, createBackup } from '../create/create-backup.ts';
import { connectOwner } from '../database/connect.ts';
import { type Attempts, type DailyTime, drafts, isDue, nameOf, outdated } from './plan.ts';

const everyMs = 60_000;

export interface Schedule {
  folder: string;
  time: DailyTime;
  /** Number of scheduled backups that stay in the folder. */
  keep: number;
}

export interface ScheduledBackups {
  source: BackupSource;
  schedule: Schedule;
  /** Receives one line for each backup, written or failed, and when it is not known whether one is due. */
  print: (line: string, level: 'info' | 'warn' | 'error') => void;
}

interface DueBackup extends Omit<ScheduledBackups, 'print'> {
  /** Called when a backup is due, before it is written. */
  onDue?: () => void;
}

const asBackupRole = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  await client.query(`set role ${databaseRoles.backup}`);
  try {
    return await work();
  } finally {
    await client.query('reset role');
  }
};

interface StoredAttempts extends Attempts {
  now: Date;
  /** Id of the database, which a copy of its content in another server or under another name does not have. */
  installation: string;
  /** Why the last attempt failed; empty while it runs, and after it succeeded. */
  failure: string;
}

/**
 * Under the backup lock, an attempt that neither succeeded nor has a reason for its failure ended with its process, which
 * was killed, or with the connection that holds the lock.
 */
async function readAttempts(client: pg.Client): Promise<StoredAttempts> {
  await client.query(
    `update backup_status set failure = 'The process or its connection to the database ended during the backup.'
     where failure = '' and failed_at is not null and failed_at is distinct from succeeded_at`,
  );
  const { rows } = await client.query<StoredAttempts>(
    `select clock_timestamp() as now,
       (select left(encode(sha256(convert_to(system_identifier || ' ' || current_database(), 'UTF8')), 'hex'), 8)
        from pg_control_system()) as installation,
       s.succeeded_at as "succeededAt", s.failed_at as "failedAt",
       coalesce(s.failure, '') as failure
     from (select) one left join backup_status s on true`,
  );
  const [row] = rows;
  if (row === undefined) throw new BackupError('The database did not return the times of its backups.');
  return row;
}

/** An attempt counts as failed until it succeeds, so that one whose process is killed is not repeated at once. */
const saveStart = (client: pg.Client, startedAt: Date): Promise<unknown> =>
  client.query(
    `insert into backup_status (failed_at, failure) values ($1, '')
     on conflict (singleton) do update set failed_at = excluded.failed_at, failure = excluded.failure`,
    [startedAt],
  );

/** Forgets the start of an attempt that was stopped in order: the next start of the product repeats it at once. */
const forgetStart = (client: pg.Client, { failedAt, failure }: StoredAttempts): Promise<unknown> =>
  client.query(`update backup_status set failed_at = $1, failure = $2`, [failedAt, failure]);

const saveSuccess = (client: pg.Client, startedAt: Date, { size }: BackupSummary): Promise<unknown> =>
  client.query(
    `insert into backup_status (succeeded_at, size) values ($1, $2)
     on conflict (singleton) do update set succeeded_at = excluded.succeeded_at, size = excluded.size`,
    [startedAt, size],
  );

const saveFailure = (client: pg.Client, reason: string): Promise<unknown> =>
  client.query(
    `insert into backup_status (failed_at, failure) values (clock_timestamp(), $1)
     on conflict (singleton) do update set failed_at = excluded.failed_at, failure = excluded.failure`,
    [reason],
  );

/** Of the last level only: node's `recursive` never returns in a folder that accepts no folders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const existing = await stat(folder).catch(() => undefined);
    if (existing?.isDirectory()) return;
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupError(`BACKUP_DIR ${folder} cannot be created (${code})`, error);
  }
}

async function deleteFiles(folder: string, choose: (names: string[]) => string[]): Promise<void> {
  for (const name of choose(await readdir(folder))) await rm(join(folder, name), { force: true });
}

/**
 * Writes the backup that is due, if any, and then deletes outdated ones of the same database. Of several processes on one database only one
 * does: the others find its lock, or its result. Uses the clock of the database.
 * @returns the summary of a written backup
 * @throws BackupError when the backup failed, and the database has the time, unless it could not be reached; before
 * `onDue`, when it is not known whether one is due
 */
export async function runDueBackup(
  { source, schedule, onDue }: DueBackup,
  signal?: AbortSignal,
): Promise<BackupSummary | undefined> {
  await using client = await connectOwner(source.ownerUrl);
  if (!(await tryBackupLock(client))) return undefined;
  const attempts = await asBackupRole(client, () => readAttempts(client));
  const { now, installation } = attempts;
  const { folder, time, keep } = schedule;
  if (!isDue(now, time, attempts)) return undefined;
  onDue?.();
  try {
    await makeFolder(folder);
    await deleteFiles(folder, (names) => drafts(names, installation));
    await asBackupRole(client, () => saveStart(client, now));
    const written = nameOf(now, installation);
    const summary = await createBackup(source, join(folder, written), signal ? { signal } : {});
    await asBackupRole(client, () => saveSuccess(client, now, summary));
    await deleteFiles(folder, (names) => outdated(names, { keep, written, installation }));
    return summary;
  } catch (error) {
    const save = () =>
      signal?.aborted ? forgetStart(client, attempts) : saveFailure(client, (error as Error).message);
    // Fails where the connection is lost too: the reason of the backup is the one to report.
    await asBackupRole(client, save).catch(() => undefined);
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Writes scheduled backups until the signal aborts. A failure is one line, and the next attempt follows in an hour; a
 * database that cannot be reached is tried again every minute.
 */
export async function keepBackups(backups: ScheduledBackups, signal: AbortSignal): Promise<void> {
  const { source, schedule, print } = backups;
  while (!signal.aborted) {
    let due = false;
    const onDue = (): void => void (due = true);
    try {
      const summary = await runDueBackup({ source, schedule, onDue }, signal);
      if (summary)
        print(`backup written: ${summary.file} (${summary.size} bytes, ${summary.rows} rows)`, 'info');
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof BackupError ? error.message : String(error);
      if (due) print(`backup failed: ${reason}`, 'error');
      else print(`the schedule of backups could not be checked: ${reason}`, 'warn');
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
