import { statfs } from 'node:fs/promises';
import type { Database } from '@riskboard/db';
import { sql } from 'kysely';

/** SQLSTATE disk_full. */
const diskFull = '53100';
/** With less, the embedded PostgreSQL can no longer extend its log and stops. */
const leastFreeBytes = 32 * 1024 ** 2;

export interface Disk {
  /** Remembers an error that says that the disk of the database is full. */
  note(error: unknown): void;
  /** 'disk full', until a write succeeds again. */
  problem(): Promise<string | undefined>;
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === diskFull;

/**
 * State of the disk of the database. Only a write shows that it is full; it is tried after a write has failed, so that a
 * readiness check normally writes nothing.
 * @param folder the data folder of the embedded database, whose free space is read each time; absent: another machine's
 */
export function diskOf(database: Pick<Database, 'app'>, folder: string | undefined): Disk {
  let failed = false;

  async function hasSpace(): Promise<boolean> {
    if (folder === undefined) return true;
    const free = await statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Infinity,
    );
    return free >= leastFreeBytes;
  }

  async function write(): Promise<void> {
    await database.app.transaction().execute(async (trx) => {
      await sql`create temporary table disk_check on commit drop as select generate_series(1, 5000) as n`.execute(
        trx,
      );
    });
  }

  return {
    note(error) {
      if (isFull(error)) failed = true;
    },
    async problem() {
      if (!(await hasSpace())) return 'disk full';
      if (!failed) return undefined;
      try {
        await write();
        failed = false;
      } catch (error) {
        if (isFull(error)) return 'disk full';
        throw error;
      }
      return undefined;
    },
  };
}
