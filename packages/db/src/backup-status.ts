import { sql } from 'kysely';
import type { Database } from './connection/client.ts';

/** The outcome of the scheduled backups. */
export interface BackupStatus {
  succeededAt: Date | null;
  /** Bytes of the newest backup. */
  size: number | null;
  /** Of the last failed attempt, also when a later one succeeded. */
  failedAt: Date | null;
  /** The clock of the database, which has written these times. */
  now: Date;
}

/** Backups are daily: after this long one is missing. */
const overdueMs = 36 * 3_600_000;

/** @returns undefined when no scheduled backup was ever tried */
export async function readBackupStatus(database: Database): Promise<BackupStatus | undefined> {
  const { rows } = await sql<BackupStatus>`
    select succeeded_at as "succeededAt", size, clock_timestamp() as now,
      -- Without a reason, the attempt is still running.
      case when failure <> '' then failed_at end as "failedAt"
    from backup_status`.execute(database.app);
  return rows[0];
}

/** A time that is later than now was written while the clock was ahead, and says nothing about the present: null. */
export const pastTime = (time: Date | null, now: Date): Date | null =>
  time !== null && time <= now ? time : null;

/** Why an operator should look at the backups, without paths or messages; undefined when all is well. */
export function backupProblem(status: BackupStatus | undefined): string | undefined {
  if (status === undefined) return undefined;
  const { now } = status;
  const [succeededAt, failedAt] = [pastTime(status.succeededAt, now), pastTime(status.failedAt, now)];
  if (failedAt !== null && (succeededAt === null || failedAt > succeededAt))
    return `the last backup failed at ${failedAt.toISOString()}; the log has the reason`;
  if (succeededAt !== null && now.getTime() - succeededAt.getTime() > overdueMs)
    return `the last backup is of ${succeededAt.toISOString()}`;
  if (status.succeededAt !== null && succeededAt === null)
    return `the last backup is of ${status.succeededAt.toISOString()}, which is later than now: the clock of the database was ahead`;
  return undefined;
}
