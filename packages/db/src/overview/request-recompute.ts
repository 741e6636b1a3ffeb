import { sql } from 'kysely';
import { type JobRow, selectJobs } from '../jobs/jobs.ts';
import { requireOrder } from '../locks/lock-order.ts';
import { lockRecomputationStart } from '../locks/overview-lock.ts';
import { newId } from '../new-id.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * Queues a recomputation of the overview, in a transaction of its own; at most one waits in an organization. A request
 * while one waits returns that one, which then belongs to the first person who requested it.
 * @param by the account; null for an automatic request
 */
export async function requestRecompute(trx: OrganizationTransaction, by: string | null): Promise<JobRow> {
  requireOrder(trx, 'job');
  const { rows } = await sql<{ id: string }>`
    insert into job (organization_id, id, kind, payload, created_by)
    values (current_organization(), ${newId()}, 'metrics.recompute', '{}', ${by})
    on conflict (organization_id) where kind = 'metrics.recompute' and state = 'queued' and version = 1
      do update set created_by = coalesce(job.created_by, excluded.created_by)
    returning id`.execute(trx);
  return selectJobs(trx)
    .where('job.id', '=', rows[0]?.id ?? '')
    .executeTakeFirstOrThrow();
}

/**
 * Whether another recomputation of the organization runs, for one that is about to start; no other one starts until the
 * transaction ends.
 */
export async function otherRecomputationRuns(trx: OrganizationTransaction, id: string): Promise<boolean> {
  await lockRecomputationStart(trx);
  const { rows } = await sql`
    select from job
    where organization_id = current_organization() and kind = 'metrics.recompute' and state = 'running' and id <> ${id}
    limit 1`.execute(trx);
  return rows.length > 0;
}
