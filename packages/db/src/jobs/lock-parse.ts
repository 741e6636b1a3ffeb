import type { Selectable } from 'kysely';
import { lockJobs } from '../locks/job-locks.ts';
import { rowLock } from '../locks/row-lock.ts';
import type { JobTable, ReportFileTable } from '../tables.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** A report and the state of its newest parse. */
export interface LockedParse {
  file: Selectable<ReportFileTable>;
  parse: Pick<Selectable<JobTable>, 'id' | 'state' | 'error_message'> | undefined;
}

/**
 * Locks a report and its parse, in the order in which the worker locks them, for a transaction that adds a job to the
 * report or queues one again. The file is read after both locks, because a parse may commit while this waits.
 * @param extraction that is queued again; locked with the parse, which may be older or younger
 * @returns undefined when the report does not exist
 */
export async function lockParse(
  trx: OrganizationTransaction,
  fileId: string,
  extraction?: string,
): Promise<LockedParse | undefined> {
  const locked = await trx
    .selectFrom('report_file')
    .select('parse_job_id')
    .where('id', '=', fileId)
    .modifyEnd(rowLock(trx, { name: 'file', id: fileId, mode: 'key share' }))
    .executeTakeFirst();
  if (!locked) return undefined;
  const id = locked.parse_job_id;
  await lockJobs(
    trx,
    trx
      .selectFrom('job')
      .select('id')
      .where('id', 'in', extraction === undefined ? [id] : [id, extraction]),
  );
  const parse = await trx
    .selectFrom('job')
    .select(['id', 'state', 'error_message'])
    .where('id', '=', id)
    .executeTakeFirst();
  const file = await trx
    .selectFrom('report_file')
    .selectAll()
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  return { file, parse };
}
