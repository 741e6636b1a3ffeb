import { pipeline } from 'node:stream/promises';
import { ensureBackupAccess, ensureRoles, tryBackupLock } from '@riskboard/db';
import { migrations } from '@riskboard/migrations';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { asBackupError, BackupError } from '../backup-error.ts';
import type { BackupWatch } from '../create/create-backup.ts';
import { readTables } from '../database/catalogue.ts';
import { connectOwner } from '../database/connect.ts';
import type { End, Header, Table } from '../file/content.ts';
import { discard, readBackup } from '../file/read-backup.ts';
import { relaxSchema } from './relax.ts';
import { dropEverything, isEmpty, requireKnownSchema, requireUnused } from './target.ts';

export interface RestoreTarget {
  /** The owner of the database. */
  ownerUrl: string;
  /** Replaces the content of a database that is not empty. */
  force: boolean;
}

/** A file whose content was found to be complete and correct. */
export interface CheckedBackup {
  path: string;
  header: Header;
  /** Bytes. */
  size: number;
}

export interface RestoreSummary {
  header: Header;
  tables: number;
  rows: number;
  /** Migrations that were applied to the restored rows. */
  migrated: number;
}

/**
 * Checks the whole file without a database.
 * @throws BackupError when it is damaged, incomplete, or made by a newer version
 */
export async function checkBackup(path: string, watch: BackupWatch = {}): Promise<CheckedBackup> {
  const { header, size } = await readBackup(path, {
    table: discard,
    onOffset: offsets('checking the file', watch),
  });
  await requireKnownSchema(header);
  return { path, header, size };
}

const offsets =
  (phase: 'checking the file' | 'writing the database', watch: BackupWatch, total = 0) =>
  (done: number): void => {
    watch.signal?.throwIfAborted();
    watch.onProgress?.({ phase, done, total: Math.max(done, total) });
  };

/** The query builder on one connection, for the migrator. */
const builderOn = (client: pg.Client): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => ({ query: client.query.bind(client), release: () => undefined }),
        end: async () => undefined,
      },
    }),
  });

/** @returns the number of applied migrations */
async function migrateTo(trx: Transaction<unknown>, name?: string): Promise<number> {
  const migrator = new Migrator({ db: trx, provider: migrations });
  const { error, results = [] } = await (name === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(name));
  if (error) throw error;
  return results.length;
}

async function loadTable(
  client: pg.Client,
  { name, columns }: Table,
  data: AsyncIterable<Buffer>,
): Promise<number> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const copy = client.query(
    copyFrom(`copy ${client.escapeIdentifier(name)} (${list}) from stdin (format binary)`),
  );
  await pipeline(data, copy);
  return copy.rowCount;
}

async function loadRows(client: pg.Client, path: string, progress: (offset: number) => void): Promise<End> {
  // The migrations have stored rows that the backup has too.
  const tables = (await readTables(client)).map(({ name }) => client.escapeIdentifier(name));
  await client.query(`truncate ${tables.join(', ')}`);
  const loaded: Record<string, number> = {};
  const { end } = await readBackup(path, {
    async table(table, data) {
      loaded[table.name] = await loadTable(client, table, data);
    },
    onOffset: progress,
  });
  for (const [name, { rows }] of Object.entries(end.tables))
    if (loaded[name] !== rows)
      throw new BackupError(`The table ${name} got ${loaded[name]} rows instead of ${rows}.`);
  for (const [name, last] of Object.entries(end.sequences))
    if (last !== null) await client.query('select setval($1::regclass, $2::bigint)', [name, last]);
  return end;
}

/**
 * Replaces the content of a database with that of a backup, in one transaction: afterwards it has all of it, migrated to
 * this version, or what it had before. Creates the product's roles with their privileges. The queue is empty afterwards:
 * workers enqueue the unfinished jobs again, because each is a row.
 * @throws BackupError when the database is in use, is not empty and `force` is not set, or the rows do not fit; the
 *   database is then unchanged
 */
export async function restoreBackup(
  { ownerUrl, force }: RestoreTarget,
  { path, header, size }: CheckedBackup,
  watch: BackupWatch = {},
): Promise<RestoreSummary> {
  try {
    await using client = await connectOwner(ownerUrl);
    await requireUnused(client);
    if (!force && !(await isEmpty(client)))
      throw new BackupError(
        'The database is not empty. --force replaces everything in it with the content of the backup.',
      );
    if (!(await tryBackupLock(client)))
      throw new BackupError('Another backup or restore runs at this moment. Wait until it has ended.');
    await ensureRoles(client);
    const summary = await builderOn(client)
      .transaction()
      .execute((trx) =>
        replaceContent(trx, client, { header, path, progress: offsets('writing the database', watch, size) }),
      );
    // Only the planner needs it, and the product works without.
    await client.query('analyze').catch(() => undefined);
    return summary;
  } catch (error) {
    watch.signal?.throwIfAborted();
    throw asBackupError('The backup was not restored, and the database is unchanged', error);
  }
}

async function replaceContent(
  trx: Transaction<unknown>,
  client: pg.Client,
  { header, path, progress }: { header: Header; path: string; progress: (offset: number) => void },
): Promise<RestoreSummary> {
  await client.query(`set local maintenance_work_mem = '256MB'`);
  await dropEverything(client);
  await migrateTo(trx, header.migrations.at(-1));
  const restoring = await relaxSchema(client);
  const end = await loadRows(client, path, progress);
  for (const statement of restoring) await client.query(statement);
  const migrated = await migrateTo(trx);
  // The scheduled attempt that wrote this backup was still running: it must not count as failed.
  await client.query(`update backup_status set failed_at = null where failure = ''`);
  await ensureBackupAccess(client);
  const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0);
  return { header, tables: header.tables.length, rows, migrated };
}
