import type pg from 'pg';

/**
 * Locks of the whole database, for work of its owner on a connection of its own: all but the last are held until
 * the connection ends. None is taken together with the locks of `lock-order.ts`.
 */

/** One process at a time repairs roles and privileges. */
export async function lockAccessRepair(client: pg.ClientBase): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtextextended('access repair', 0))`);
}

/** Whether this process may write the scheduled backup, or restore; another one does while this is false. Never waits. */
export async function tryBackupLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('backup', 0)) as free`,
  );
  return rows[0]?.free ?? false;
}

/**
 * Whether this process may migrate; another one does while this is false. Never waits: PostgreSQL counts a session that
 * waits in a statement as a reader, for which a concurrent build of an index would wait.
 */
export async function tryMigrationLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('migration', 0)) as free`,
  );
  return rows[0]?.free ?? false;
}

/** Whether a backup may read the tables; a migration changes them while this is false. Never waits, as above. */
export async function tryReadingLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock_shared(hashtextextended('backup reading', 0)) as free`,
  );
  return rows[0]?.free ?? false;
}

/**
 * Whether a migration may change the tables; a backup reads them, or a restore writes them, while this is false. Then nothing
 * is locked. Scheduled backups of earlier versions have only the backup lock. Never waits, as above.
 */
export async function tryStructureLock(client: pg.ClientBase): Promise<boolean> {
  if (!(await tryBackupLock(client))) return false;
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('backup reading', 0)) as free`,
  );
  if (rows[0]?.free) return true;
  await client.query(`select pg_advisory_unlock(hashtextextended('backup', 0))`);
  return false;
}

/** Prevents changes of the tables' structure until the transaction ends. Reading and writing go on. */
export async function lockStructure(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  const names = tables.map((name) => client.escapeIdentifier(name)).join(', ');
  await client.query(`lock table ${names} in access share mode`);
}
