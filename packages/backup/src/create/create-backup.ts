import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { lockStructure, tryReadingLock } from '@riskboard/db';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { asBackupError, BackupError } from '../backup-error.ts';
import { readMigrations, readSequences, readTables } from '../database/catalogue.ts';
import { connectOwner } from '../database/connect.ts';
import { type End, type Header, type Table, toJson } from '../file/content.ts';
import { magic, writeFrame } from '../file/frames.ts';
import { discard, readBackup } from '../file/read-backup.ts';
import { writeTable } from '../file/write-table.ts';
import { productVersion } from '../product-version.ts';
import { findReaderRole, requireCompleteSight } from './reader-role.ts';

export interface BackupSource {
  /** The owner of the database. */
  ownerUrl: string;
  secrets: Header['secrets'];
  fingerprints: Header['fingerprints'];
}

export interface Progress {
  phase: 'reading the database' | 'checking the file' | 'writing the database';
  done: number;
  /** An estimate. */
  total: number;
}

export interface BackupWatch {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export interface BackupSummary {
  file: string;
  /** Bytes of the file. */
  size: number;
  tables: number;
  rows: number;
  createdAt: string;
}

/** Rows of a table as a binary COPY. A lost connection ends it with an error. */
async function* copyRows(copy: ReturnType<typeof copyTo>, client: pg.Client): AsyncGenerator<Buffer> {
  const lost = (): void => void copy.destroy(new BackupError('The database ended the connection.'));
  client.once('end', lost);
  try {
    for await (const part of copy) yield part as Buffer;
  } finally {
    client.off('end', lost);
  }
}

/**
 * Begins a transaction that sees one moment of the database. The tables are locked against changes of their structure
 * first, because the snapshot begins with the first statement after the locks.
 */
async function beginSnapshot(client: pg.Client): Promise<Table[]> {
  if (!(await tryReadingLock(client)))
    throw new BackupError(
      'A migration changes the tables at this moment. Run the backup again when it has ended.',
    );
  const names = (await readTables(client)).map(({ name }) => name);
  const role = await findReaderRole(client);
  await client.query('begin isolation level repeatable read, read only');
  await lockStructure(client, names);
  if (role !== undefined) await client.query(`set local role ${role}`);
  await requireCompleteSight(client);
  const tables = await readTables(client);
  const changed = tables.length !== names.length || tables.some(({ name }, n) => name !== names[n]);
  if (changed) throw new BackupError('A migration changed the tables at this moment. Run the backup again.');
  return tables;
}

async function readHeader(client: pg.Client, source: BackupSource, tables: Table[]): Promise<Header> {
  const { rows } = await client.query<{ at: Date; postgres: string; encoding: string }>(
    `select now() as at, current_setting('server_version') as postgres, current_setting('server_encoding') as encoding`,
  );
  const [server] = rows;
  if (server === undefined || server.encoding !== 'UTF8')
    throw new BackupError(`The database has the encoding ${server?.encoding}; it must be UTF8.`);
  return {
    version: productVersion,
    createdAt: server.at.toISOString(),
    postgres: server.postgres,
    migrations: await readMigrations(client),
    tables,
    secrets: source.secrets,
    fingerprints: source.fingerprints,
  };
}

async function estimateBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(oid)), 0)::text as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return Number(rows[0]?.bytes ?? 0);
}

async function writeSnapshot(file: FileHandle, source: BackupSource, watch: BackupWatch): Promise<void> {
  await using client = await connectOwner(source.ownerUrl);
  const tables = await beginSnapshot(client);
  await file.writeFile(magic);
  const header = await readHeader(client, source, tables);
  await writeFrame(file, { type: 'header', content: toJson(header) });
  const estimate = await estimateBytes(client);
  const ends: End['tables'] = {};
  let done = 0;
  for (const table of tables) {
    const columns = table.columns.map((name) => client.escapeIdentifier(name)).join(', ');
    const copy = client.query(
      copyTo(`copy ${client.escapeIdentifier(table.name)} (${columns}) to stdout (format binary)`),
    );
    ends[table.name] = await writeTable(file, table, {
      data: copyRows(copy, client),
      rows: () => copy.rowCount,
      onBytes(bytes) {
        watch.signal?.throwIfAborted();
        done += bytes;
        watch.onProgress?.({ phase: 'reading the database', done, total: Math.max(done, estimate) });
      },
    });
    watch.signal?.throwIfAborted();
  }
  const end: End = { tables: ends, sequences: await readSequences(client) };
  await writeFrame(file, { type: 'end', content: toJson(end) });
  await client.query('rollback');
}

/** Reads the whole file again and compares checksums and numbers of rows. */
async function verify(path: string, watch: BackupWatch): Promise<Omit<BackupSummary, 'file'>> {
  const { header, end, size } = await readBackup(path, {
    table: discard,
    onOffset(done) {
      watch.signal?.throwIfAborted();
      watch.onProgress?.({ phase: 'checking the file', done, total: done });
    },
  });
  const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0);
  return { size, tables: header.tables.length, rows, createdAt: header.createdAt };
}

/**
 * Writes all data of the product at one moment into one file, while the product runs, and reads the file again to check
 * it. The file appears only when it is complete and correct; only its owner can read it. Memory is constant.
 * @throws BackupError when the file exists, the database cannot be read completely, or the file cannot be written
 */
export async function createBackup(
  source: BackupSource,
  path: string,
  watch: BackupWatch = {},
): Promise<BackupSummary> {
  // Two processes may write a backup with one name, also in containers, where their process ids are the same.
  const draft = `${path}.${randomBytes(4).toString('hex')}.draft`;
  try {
    await refuseExisting(path);
    {
      await using file = await open(draft, 'wx', 0o600);
      await writeSnapshot(file, source, watch);
      await file.sync();
    }
    const summary = await verify(draft, watch);
    await publish(draft, path);
    return { file: path, ...summary };
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    watch.signal?.throwIfAborted();
    throw asBackupError(`The backup ${path} was not written`, error);
  }
}

/** Gives the draft its name, unless a file with that name has appeared meanwhile. */
async function publish(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw existsAlready(path);
    // A file system without links, such as exFAT and some network shares.
    await refuseExisting(path);
    return rename(draft, path);
  }
  await rm(draft, { force: true }).catch(() => undefined);
}

const existsAlready = (path: string): BackupError =>
  new BackupError(`${path} exists already. Name another file, or remove it first.`);

async function refuseExisting(path: string): Promise<void> {
  const existing = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  await existing?.close();
  if (existing) throw existsAlready(path);
}
