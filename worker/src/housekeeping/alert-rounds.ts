import {
  insertJob,
  type JobRow,
  lockAlerts,
  newId,
  type OrganizationTransaction,
  selectJobs,
  withOrganization,
} from '@riskboard/db';
import { notifyMailSender } from '@riskboard/queue';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { recordFailedJob } from '../jobs/alerts/deliver.ts';
import { hasFindings } from '../jobs/alerts/evaluate.ts';
import { insertMails } from '../jobs/alerts/save-alerts.ts';
import { enqueue, publishJobs, reportError } from '../jobs/run/publish.ts';
import { collectChanges } from '../jobs/run/changed-organizations.ts';
import { countEachOrganization, eachOrganization } from './each-organization.ts';
import { repeat, type Repeating } from './repeat.ts';
import { runSteps } from './steps.ts';

/** Milliseconds for which changes of an organization are collected before its rules are evaluated. */
const collectMs = 1000;
/** Deliveries whose next attempt is due are found after this long. */
const deliveriesMs = 5000;
/** Rules about time are evaluated, digests are sent, and organizations whose event was lost are found after this long. */
const everyMs = 60_000;
/** After an evaluation that failed or was cancelled, the next one waits. */
const retriedAfter = sql`interval '10 minutes'`;
/** Deliveries of an organization that one round starts. */
const deliveriesAtOnce = 100;

async function start(deps: Deps, jobs: readonly JobRow[]): Promise<number> {
  await enqueue(deps, jobs);
  await publishJobs(deps, jobs);
  return jobs.length;
}

/**
 * Creates one evaluation for each organization whose rules have something to report: none while such a job is queued or
 * running. A change during its run is found by the next call, and the end of the run is noted as a change. Several workers
 * may call it at once.
 * @param among only these organizations; absent: all
 * @returns the number of jobs
 */
export async function requestEvaluations(deps: Deps, among?: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select o.organization_id as id from organization o
    where o.deleting_at is null and ${among === undefined ? sql`true` : sql`o.organization_id = any (${among}::uuid[])`}
      and (exists (select from alert_change c where c.organization_id = o.organization_id)
        or exists (
          select from alert_rule r where r.organization_id = o.organization_id and r.enabled and r.deleted_at is null
            and (r.kind = 'nothing-imported' or r.score = 'overall')))
    order by 1`.execute(deps.database.system);
  const jobs = await eachOrganization(deps, { rows, failure: 'alerts not evaluated' }, ({ id }) =>
    withOrganization(deps.database, id, (trx) => createEvaluation(trx, id)),
  );
  return start(deps, jobs.flat());
}

async function createEvaluation(trx: OrganizationTransaction, organizationId: string): Promise<JobRow[]> {
  if (!(await mayEvaluate(trx)) || !(await hasFindings(trx))) return [];
  await lockAlerts(trx);
  // Another worker may have created the job, or evaluated, since.
  if (!(await mayEvaluate(trx)) || !(await hasFindings(trx))) return [];
  const id = await insertJob(trx, { kind: 'alerts.evaluate', payload: {}, organizationId });
  return selectJobs(trx).where('job.id', '=', id).execute();
}

async function mayEvaluate(trx: OrganizationTransaction): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select not exists (
      select from job
      where organization_id = current_organization() and state in ('queued', 'running') and kind = 'alerts.evaluate'
    ) and not exists (
      select from job
      where organization_id = current_organization() and created_at > now() - interval '1 day'
        and kind = 'alerts.evaluate' and state in ('failed', 'cancelled') and finished_at > now() - ${retriedAfter}
    ) as may`.execute(trx);
  return rows[0]?.may ?? false;
}

/**
 * Creates a job for each delivery whose next attempt is due. A delivery whose job was cancelled or lost gets another one
 * after its lease; a job that failed is recorded as an attempt then. @returns the number of jobs
 */
export async function requestDeliveries(deps: Deps): Promise<number> {
  await recordFailedJobs(deps);
  const { rows } = await sql<{ id: string }>`
    select distinct d.organization_id as id from webhook_delivery d
    join organization o on o.organization_id = d.organization_id and o.deleting_at is null
    where ${deliveryIsDue} order by 1`.execute(deps.database.system);
  const jobs = await eachOrganization(deps, { rows, failure: 'webhook deliveries not started' }, ({ id }) =>
    withOrganization(deps.database, id, (trx) => createDeliveryJobs(trx, id)),
  );
  return start(deps, jobs.flat());
}

const deliveryIsDue = sql`
  d.state = 'waiting' and d.next_attempt_at <= now() and coalesce(d.leased_until <= now(), true)`;

async function recordFailedJobs(deps: Deps): Promise<void> {
  const { rows } = await sql<{ id: string; deliveryId: string; jobId: string }>`
    select d.organization_id as id, d.id as "deliveryId", job.id as "jobId" from webhook_delivery d
    join organization o on o.organization_id = d.organization_id and o.deleting_at is null
    join job on job.organization_id = d.organization_id and job.id = d.job_id and job.state = 'failed'
    where ${deliveryIsDue} order by d.next_attempt_at, d.id`.execute(deps.database.system);
  const round = { rows, failure: 'failed webhook delivery not recorded' };
  await eachOrganization(deps, round, ({ id, ...failed }) =>
    recordFailedJob(deps, { organizationId: id, ...failed }),
  );
}

async function createDeliveryJobs(trx: OrganizationTransaction, organizationId: string): Promise<JobRow[]> {
  await lockAlerts(trx);
  const { rows } = await sql<{ id: string }>`
    select d.id from webhook_delivery d
    where d.organization_id = current_organization() and ${deliveryIsDue}
    order by d.next_attempt_at, d.id limit ${deliveriesAtOnce}`.execute(trx);
  const jobs: string[] = [];
  for (const { id: deliveryId } of rows) {
    const jobId = await insertJob(trx, { kind: 'webhook.deliver', payload: { deliveryId }, organizationId });
    await trx
      .updateTable('webhook_delivery')
      .set({ job_id: jobId, leased_until: sql<Date>`now() + interval '10 minutes'` })
      .where('id', '=', deliveryId)
      .execute();
    jobs.push(jobId);
  }
  if (jobs.length === 0) return [];
  return selectJobs(trx).where('job.id', 'in', jobs).orderBy('job.id').execute();
}

/** Requests one mail for each member whose digest is due. @returns the number of mails */
export async function requestDigests(deps: Deps): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select distinct m.organization_id as id from alert_mail m
    join organization o on o.organization_id = m.organization_id and o.deleting_at is null
    where m.mail_id is null and m.due_at <= now() order by 1`.execute(deps.database.system);
  const requested = await countEachOrganization(deps, { rows, failure: 'digests not requested' }, ({ id }) =>
    withOrganization(deps.database, id, (trx) => createDigests(trx, id)),
  );
  if (requested > 0) await notifyMailSender(deps.relay);
  return requested;
}

async function createDigests(trx: OrganizationTransaction, organizationId: string): Promise<number> {
  await lockAlerts(trx);
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from alert_mail
    where organization_id = current_organization() and mail_id is null and due_at <= now()
    order by 1`.execute(trx);
  const mails = new Map(rows.map((row) => [row.account_id, newId()]));
  for (const [account, mail] of mails)
    await sql`
      update alert_mail set mail_id = ${mail}
      where organization_id = current_organization() and account_id = ${account} and mail_id is null
        and due_at <= now()`.execute(trx);
  await insertMails(trx, organizationId, mails);
  return mails.size;
}

/** Evaluates rules soon after changes and at an interval, and starts deliveries and digests that are due. */
export function startAlerts(deps: Deps): Pick<Repeating, 'stop'> {
  const onError = (err: unknown) => reportError(deps, err, 'alerts not evaluated');
  // A change is only a hint: the rounds over all organizations find what it would have started.
  const changes = collectChanges(deps.relay, onError);
  const soon = repeat({
    everyMs: collectMs,
    async work() {
      const among = changes.take();
      if (among.length > 0) await requestEvaluations(deps, among);
    },
    onError,
  });
  const deliveries = repeat({
    everyMs: deliveriesMs,
    work: async () => void (await requestDeliveries(deps)),
    onError,
  });
  const all = repeat({
    everyMs,
    work: () =>
      runSteps(deps, [
        ['alerts not evaluated', () => requestEvaluations(deps)],
        ['digests not requested', () => requestDigests(deps)],
      ]),
    onError,
  });
  all.now();
  return {
    async stop() {
      await Promise.all([soon.stop(), deliveries.stop(), all.stop()]);
      changes.stop();
    },
  };
}
