import { sql } from 'kysely';
import type { Database } from './connection/client.ts';

/** The outcome of the scheduled backups. */
export interface BackupStatus {
  succeededAt: Date | null;
  /** Bytes of the newest backup. */
  size: number | null;
  /** Of the last failed attempt, also when a later one succeeded. */
  failedAt: Date | null;
}

/** Backups are daily: after this long one is missing. */
const overdueMs = 36 * 3_600_000;

/** @returns undefined when no scheduled backup was ever tried */
export async function readBackupStatus(database: Database): Promise<BackupStatus | undefined> {
  const { rows } = await sql<BackupStatus>`
    select succeeded_at as "succeededAt", size, failed_at as "failedAt" from backup_status`.execute(
    database.app,
  );
  return rows[0];
}

/** Why an operator should look at the backups, without paths or messages; undefined when all is well. */
export function backupProblem(status: BackupStatus | undefined, now: Date): string | undefined {
  if (status === undefined) return undefined;
  const { succeededAt, failedAt } = status;
  if (failedAt !== null && (succeededAt === null || failedAt > succeededAt))
    return `the last backup failed at ${failedAt.toISOString()}; the log has the reason`;
  if (succeededAt !== null && now.getTime() - succeededAt.getTime() > overdueMs)
    return `the last backup is of ${succeededAt.toISOString()}`;
  return undefined;
}
