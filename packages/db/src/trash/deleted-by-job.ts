import { type RawBuilder, sql } from 'kysely';
import { batchesOf } from '../rows-in-batches.ts';
import { findJobs, type JobRow } from '../jobs/jobs.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { lockFilesAndAssertions } from '../locks/file-locks.ts';
import { lockJobs } from '../locks/job-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { TrashTable } from './trash-row.ts';

interface DeletedByJob {
  table: TrashTable;
  jobId: string;
}

/**
 * The time that the rows which this transaction moves to the trash have there, in microseconds: it distinguishes them from
 * those of other transactions, and is part of the result of a job that deletes.
 */
export async function deletionTime(trx: OrganizationTransaction): Promise<string> {
  const { time } = await trx
    .selectNoFrom(sql<string>`to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('time'))
    .executeTakeFirstOrThrow();
  return time;
}

/**
 * Rows `trash` of the trash that a job deleted and that were not restored or deleted again since. The assets of a deleted
 * project are not among the rows of `project`: they are restored with it.
 */
const trashOfJob = ({ table, jobId }: DeletedByJob): RawBuilder<unknown> => sql`
  deleted_record trash where trash.organization_id = current_organization() and trash.noun = ${table}
    and trash.deleted_at = (
      select (result ->> 'deletedAt')::timestamptz from job
      where organization_id = current_organization() and id = ${jobId} and kind = 'records.delete')`;

/** How many rows that a job deleted can still be restored. */
export async function countDeletedByJob(
  trx: OrganizationTransaction,
  deletion: DeletedByJob,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${trashOfJob(deletion)}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/**
 * Takes the locks under which the rows that a job deleted are restored, before they are counted and read: another
 * restoration of them ends first.
 */
export async function lockDeletedByJob(trx: OrganizationTransaction, deletion: DeletedByJob): Promise<void> {
  await lockAssets(trx);
  if (deletion.table === 'asset' || deletion.table === 'project') return;
  await lockFilesAndAssertions(
    trx,
    sql<{ id: string }>`
      select distinct jsonb_array_elements_text(trash.links -> 'files')::uuid as id from ${trashOfJob(deletion)}`,
  );
}

/** The ids of the rows that a job deleted and that are in the trash, in batches. */
export async function* idsDeletedByJob(
  trx: OrganizationTransaction,
  deletion: DeletedByJob,
): AsyncGenerator<string[], void, undefined> {
  const chosen = sql<{ id: string }>`select trash.id from ${trashOfJob(deletion)} order by trash.id`;
  // Restoring a batch reads batches of its own.
  for await (const batch of batchesOf(trx, chosen, 'deleted_by_job')) yield batch.map(({ id }) => id);
}

/**
 * Adds restored rows to the result of the job that deleted them, in the transaction that restored them and before it locks
 * its own job: Undo is no longer offered when none is left.
 * @returns the job as it is now; none when it no longer exists
 */
export async function noteRestoration(
  trx: OrganizationTransaction,
  deletion: DeletedByJob,
  count: number,
): Promise<JobRow[]> {
  const isComplete = (await countDeletedByJob(trx, deletion)) === 0;
  const ids = await lockJobs(
    trx,
    trx
      .selectFrom('job')
      .select('id')
      .where('id', '=', deletion.jobId)
      .where('kind', '=', 'records.delete')
      .where('state', '=', 'succeeded'),
  );
  await sql`
    update job set version = version + 1, result = result || jsonb_build_object('restoration', jsonb_build_object(
      'count', coalesce((result #>> '{restoration,count}')::int, 0) + ${count}::int, 'isComplete', ${isComplete}::boolean))
    where organization_id = current_organization() and id = any (${ids}::uuid[])`.execute(trx);
  return findJobs(
    trx,
    ids.map((id) => ({ id })),
  );
}
