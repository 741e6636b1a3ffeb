import type { JobKind, JobResult } from '@riskboard/contract';
import { moveEntries, requestRecompute, withOrganization } from '@riskboard/db';
import type { QueueMessage } from '@riskboard/queue';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { enqueue, reportError } from '../jobs/run/publish.ts';
import { countEachOrganization, eachOrganization } from './each-organization.ts';
import type { RoundDeps } from './steps.ts';

/** From this many entries on they are moved without a recomputation: reading the numbers reads every one of them. */
const manyEntries = 2000;

/** From this many changed records on, a recomputation follows a job. */
const manyRecords = 2000;

/**
 * Jobs that may change many records, with the numbers of their results that count changed records. Triggers keep the
 * overview exact; a recomputation checks them and writes what they do not keep, such as the weeks of remediation.
 */
const changesOf: {
  readonly [K in JobKind]?: readonly (keyof JobResult<K>)[];
} = {
  'stix.extract': ['created', 'updated'],
  'records.delete': ['changed'],
  'records.restore': ['changed'],
  'records.update': ['changed'],
  'csv.import': ['created', 'updated'],
  'csv.undo': ['deleted', 'restored'],
};

/** Requests a recomputation of an organization's overview, unless one is waiting. */
async function request(deps: Deps, organizationId: string): Promise<void> {
  const job = await withOrganization(deps.database, organizationId, (trx) => requestRecompute(trx, null));
  await enqueue(deps, [job]);
}

/**
 * Whether a recomputation is to follow a job: the job changed many records, or the last recomputation is more than an hour
 * old, and none waits. Read after the commit of the job: one that waits starts later, and so reads what the job has
 * written. It waits by the same condition as in `requestRecompute`, whose index serves it.
 */
async function isDueAfter(
  { database }: Deps,
  { id, organizationId }: Pick<QueueMessage, 'id' | 'organizationId'>,
  changes: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from job j
    left join overview_state s on s.organization_id = j.organization_id
    where j.organization_id = ${organizationId} and j.id = ${id}
      and not exists (
        select from job w
        where w.organization_id = j.organization_id and w.kind = 'metrics.recompute' and w.state = 'queued' and w.version = 1)
      and ((s.recomputed_at between now() - interval '1 hour' and now() + interval '1 hour') is not true
        or (select sum((j.result ->> name)::int) from unnest(${changes}::text[]) name) >= ${manyRecords})`.execute(
    database.system,
  );
  return rows.length > 0;
}

/** After a job of an organization: a failure leaves the request to the daily one. */
export async function requestAfterJob(deps: Deps, ended: QueueMessage): Promise<void> {
  const changes = changesOf[ended.kind];
  if (changes === undefined) return;
  try {
    if (await isDueAfter(deps, ended, changes)) await request(deps, ended.organizationId);
  } catch (err) {
    reportError(deps, err, 'recomputation of the overview not requested');
  }
}

/**
 * Requests a recomputation for each organization that had none in this UTC day of the database's clock, or for all of
 * them. One of a later day, before the clock was set back, does not count. Several workers may call it at once.
 * @returns the number of organizations
 */
export async function requestDaily(deps: Deps, { all = false } = {}): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from organization o
    where o.deleting_at is null and (${all} or not exists (
      select from overview_state s
      where s.organization_id = o.organization_id
        and (s.recomputed_at at time zone 'UTC')::date = (now() at time zone 'UTC')::date))
    order by 1`.execute(deps.database.system);
  const round = { rows, failure: 'recomputation of the overview not requested' };
  const requested = await eachOrganization(deps, round, ({ id }) => request(deps, id));
  return requested.length;
}

/** Moves the entries of organizations that have many. Several workers may call it at once. @returns how many */
export async function moveManyEntries(
  deps: Pick<Deps, 'database'> & RoundDeps,
  most = manyEntries,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from overview_entry
    group by organization_id having count(*) >= ${most} order by 1`.execute(deps.database.system);
  return countEachOrganization(deps, { rows, failure: 'entries of the overview not moved' }, ({ id }) =>
    withOrganization(deps.database, id, moveEntries),
  );
}
