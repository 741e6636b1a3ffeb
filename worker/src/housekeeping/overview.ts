import type { JobKind } from '@riskboard/contract';
import { moveEntries, requestRecompute, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { enqueue, reportError } from '../jobs/run/publish.ts';
import { countEachOrganization, eachOrganization } from './each-organization.ts';

/** From this many entries on they are moved without a recomputation: reading the numbers reads every one of them. */
const manyEntries = 2000;

/** Jobs that change many records; a recomputation follows them. */
const changingKinds: ReadonlySet<JobKind> = new Set<JobKind>([
  'stix.extract',
  'records.delete',
  'records.update',
  'csv.import',
  'csv.undo',
]);

/** Requests a recomputation of an organization's overview, unless one is waiting. */
async function request(deps: Deps, organizationId: string): Promise<void> {
  const job = await withOrganization(deps.database, organizationId, (trx) => requestRecompute(trx, null));
  await enqueue(deps, [job]);
}

/**
 * Whether a recomputation waits that has not started. Read after the commit of a job: the recomputation starts later, and
 * so reads what the job has written. The same condition as in `requestRecompute`, whose index serves it.
 */
async function isRequested({ database }: Deps, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from job
    where organization_id = ${organizationId} and kind = 'metrics.recompute' and state = 'queued' and version = 1`.execute(
    database.system,
  );
  return rows.length > 0;
}

/** After a job of an organization: a failure leaves the request to the daily one. */
export async function requestAfterJob(
  deps: Deps,
  { kind, organizationId }: { kind: JobKind; organizationId: string },
): Promise<void> {
  if (!changingKinds.has(kind)) return;
  try {
    if (await isRequested(deps, organizationId)) return;
    await request(deps, organizationId);
  } catch (err) {
    reportError(deps, err, 'recomputation of the overview not requested');
  }
}

/**
 * Requests a recomputation for each organization that had none in this UTC day of the database's clock, or for all of
 * them. After the clock was set back, those of the last recorded day count. Several workers may call it at once.
 * @returns the number of organizations
 */
export async function requestDaily(deps: Deps, { all = false } = {}): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from organization o
    where o.deleting_at is null and (${all} or not exists (
      select from overview_state s
      where s.organization_id = o.organization_id
        and (s.recomputed_at at time zone 'UTC')::date >= (now() at time zone 'UTC')::date))
    order by 1`.execute(deps.database.system);
  const round = { rows, failure: 'recomputation of the overview not requested' };
  const requested = await eachOrganization(deps, round, ({ id }) => request(deps, id));
  return requested.length;
}

/** Moves the entries of organizations that have many. Several workers may call it at once. @returns how many */
export async function moveManyEntries(
  deps: Pick<Deps, 'database' | 'log' | 'outages'>,
  most = manyEntries,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from overview_entry
    group by organization_id having count(*) >= ${most} order by 1`.execute(deps.database.system);
  return countEachOrganization(deps, { rows, failure: 'entries of the overview not moved' }, ({ id }) =>
    withOrganization(deps.database, id, moveEntries),
  );
}
