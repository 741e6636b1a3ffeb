import type { Database } from '@riskboard/db';
import { freeBytes, reservedBytes } from '@riskboard/operation';
import { sql } from 'kysely';

/** SQLSTATE disk_full. */
const diskFull = '53100';

export interface Disk {
  /** Remembers an error that says that the disk of the database is full. */
  note(error: unknown): void;
  /** 'disk full', until a write succeeds again. */
  problem(): Promise<string | undefined>;
  /** Whether an upload of this size would take what is reserved for the database. @param bytes 0 when unknown */
  isTooFullFor(bytes: number): Promise<boolean>;
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

  const isTooFullFor = async (bytes: number): Promise<boolean> =>
    (await freeBytes(folder)) < reservedBytes + bytes;

  async function write(): Promise<void> {
    await database.app.transaction().execute(async (trx) => {
      await sql`create temporary table disk_check on commit drop as select generate_series(1, 5000) as n`.execute(
        trx,
      );
    });
  }

  return {
    isTooFullFor,
    note(error) {
      if (isFull(error)) failed = true;
    },
    async problem() {
      if (await isTooFullFor(0)) return 'disk full';
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
