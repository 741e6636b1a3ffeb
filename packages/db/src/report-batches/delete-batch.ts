import { type RawBuilder, sql } from 'kysely';
import { rowLock } from '../locks/row-lock.ts';
import { lockJobs } from '../locks/job-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Days after which a batch without a file is deleted: its client ended before it could send one or close the batch. */
const emptyDays = 1;

/**
 * Condition over the batch `b`: every file has ended, and nothing has happened in it for so many days, or for `emptyDays` where it
 * has received no file, by the database's clock.
 */
export function isOldBatch(days: number): RawBuilder<boolean> {
  const before = (most: RawBuilder<number>) => sql`now() - make_interval(days => ${most})`;
  const [full, empty] = [sql<number>`${days}::int`, sql<number>`${Math.min(days, emptyDays)}::int`];
  const files = sql`from batch_file f where f.organization_id = b.organization_id and f.batch_id = b.id`;
  return sql`(
    b.created_at < ${before(empty)}
    and greatest(b.created_at, b.receiving_at, b.closed_at, b.cancelled_at)
      < ${before(sql`case when exists (select ${files}) then ${full} else ${empty} end`)}
    and not exists (
      select ${files} and (f.state in ('queued', 'running') or greatest(f.received_at, f.ended_at) >= ${before(full)})))`;
}

/**
 * Deletes a batch with the rows of its files; reports, records and jobs stay.
 * @returns whether it was deleted; not when a file arrived meanwhile
 */
export async function deleteBatch(
  trx: OrganizationTransaction,
  { id, days }: { id: string; days: number },
): Promise<boolean> {
  // Against files that arrive now; the conditions are checked by a later statement, which sees those that came before.
  await trx
    .selectFrom('batch')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(rowLock(trx, { name: 'batch', id, mode: 'update' }))
    .execute();
  // The start of a retried job would write an attempt of a file that no longer exists.
  const jobs = await lockJobs(trx, trx.selectFrom('job').select('id').where('batch_id', '=', id));
  const { rows } = await sql`
    delete from batch b
    where b.organization_id = current_organization() and b.id = ${id} and ${isOldBatch(days)}
    returning b.id`.execute(trx);
  if (rows.length === 0) return false;
  await trx.deleteFrom('batch_change').where('batch_id', '=', id).execute();
  if (jobs.length > 0)
    await trx
      .updateTable('job')
      .set({ batch_id: null, batch_file_id: null })
      .where('batch_id', '=', id)
      .execute();
  return true;
}
