import {
  insertJob,
  type JobRow,
  type OrganizationTransaction,
  rowLock,
  selectJobs,
  withOrganization,
} from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { enqueue, publishJobs, reportError } from '../jobs/run/publish.ts';
import { collectChanges } from '../jobs/run/changed-organizations.ts';
import { eachOrganization } from './each-organization.ts';
import { type Repeating, repeat } from './repeat.ts';

/** Milliseconds for which changes of an organization are collected before its scores are calculated again. */
const collectMs = 1000;
/** Organizations whose event was lost, or whose last calculation could not start, are found after this long. */
const everyMs = 60_000;
/** After a recalculation that failed or was cancelled, the next one waits. */
const retriedAfter = sql`interval '10 minutes'`;

/**
 * Creates one job for each organization that recalculates stale scores automatically and has any: none while such a job
 * is queued or running. A change during its run leaves a stale score, for which the next call creates another job.
 * Several workers may call it at once.
 * @param among only these organizations; absent: all
 * @returns the number of jobs
 */
export async function recalculateStale(deps: Deps, among?: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select o.organization_id as id from organization o
    where o.auto_recalculate_cwss and o.deleting_at is null
      and ${among === undefined ? sql`true` : sql`o.organization_id = any (${among}::uuid[])`}
      and exists (
        select from vulnerability v where v.organization_id = o.organization_id and v.cwss_state = 'stale')
    order by 1`.execute(deps.database.system);
  const round = { rows, failure: 'recalculation of CWSS scores not started' };
  const created = await eachOrganization(deps, round, ({ id }) =>
    withOrganization(deps.database, id, (trx) => createJob(trx, id)),
  );
  const jobs = created.flat();
  await enqueue(deps, jobs);
  await publishJobs(deps, jobs);
  return jobs.length;
}

async function createJob(trx: OrganizationTransaction, organizationId: string): Promise<JobRow[]> {
  if (!(await isDue(trx))) return [];
  // Another worker may have created the job since.
  const enabled = await trx
    .selectFrom('organization')
    .select('organization_id')
    .where('auto_recalculate_cwss', '=', true)
    .where('deleting_at', 'is', null)
    .modifyEnd(rowLock(trx, { name: 'organization', mode: 'no key update' }))
    .executeTakeFirst();
  if (!enabled || !(await isDue(trx))) return [];
  const id = await insertJob(trx, { kind: 'cwss.calculate', payload: { stale: true }, organizationId });
  return selectJobs(trx).where('job.id', '=', id).execute();
}

const isRecalculation = sql`kind = 'cwss.calculate' and payload @> '{"stale": true}'`;

/** Scores whose vignette was deleted stay stale: nothing can be calculated for them. */
async function isDue(trx: OrganizationTransaction): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from vulnerability v
      join vignette on vignette.organization_id = v.organization_id and vignette.id = v.cwss_vignette_id
      where v.organization_id = current_organization() and v.cwss_state = 'stale'
    ) and not exists (
      select from job
      where organization_id = current_organization() and state in ('queued', 'running') and ${isRecalculation}
    ) and not exists (
      select from job
      where organization_id = current_organization() and created_at > now() - interval '1 day' and ${isRecalculation}
        and state in ('failed', 'cancelled') and finished_at > now() - ${retriedAfter}
    ) as due`.execute(trx);
  return rows[0]?.due ?? false;
}

/** Recalculates soon after each change of an organization, and at an interval in all of them: an event may be lost. */
export function startRecalculation(deps: Deps): Pick<Repeating, 'stop'> {
  const onError = (err: unknown) => reportError(deps, err, 'recalculation of CWSS scores not started');
  // A change is only a hint: the rounds over all organizations find what it would have started.
  const changes = collectChanges(deps.relay, onError);
  const soon = repeat({
    everyMs: collectMs,
    async work() {
      const among = changes.take();
      if (among.length > 0) await recalculateStale(deps, among);
    },
    onError,
  });
  const all = repeat({
    everyMs,
    work: async () => void (await recalculateStale(deps)),
    onError,
  });
  all.now();
  return {
    async stop() {
      await Promise.all([soon.stop(), all.stop()]);
      changes.stop();
    },
  };
}
