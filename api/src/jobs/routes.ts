import { entities, type JobKind, type JobPayload, waitingPhases } from '@riskboard/contract';
import { jobs } from '@riskboard/contract/schemas';
import {
  cancelWithWaiting,
  countDeletedByJob,
  facetsOf,
  insertJob,
  type JobRow,
  jobSource,
  lockParse,
  type OrganizationTransaction,
  presentJob,
  presentJobDetail,
  reviveWaiting,
  selectJobs,
  type ShownJobRow,
  withOrganization,
} from '@riskboard/db';
import { plural } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { requireJobAccess } from '../lib/security/access.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { showPage } from '../lib/list.ts';
import { sendExport } from '../lib/list-export.ts';
import { afterCommit } from '../lib/publish.ts';
import { serve } from '../lib/http/serve.ts';
import { countFacets } from '../lib/list-facets.ts';

/** A row of the list; `took` is the duration in seconds. */
type ListedJob = ShownJobRow & { took: number | null };

/** The counts of a result; its lists of ids and issues do not fit in a spreadsheet cell. */
const countsOf = (result: object) =>
  Object.fromEntries(Object.entries(result).filter(([, value]) => typeof value === 'number'));

/** A job in an export, with only the message of its error. */
const exportJob = (row: ListedJob) => {
  const { error, result, ...job } = presentJob(row);
  return { ...job, result: result && countsOf(result), error: error?.message ?? null, took: row.took };
};

async function findJob(trx: OrganizationTransaction, id: string): Promise<JobRow> {
  const row = await selectJobs(trx).where('job.id', '=', id).executeTakeFirst();
  if (!row) throw new Failure('not_found');
  return row;
}

/**
 * An extraction that runs again waits while its report is being read.
 * @returns the job that reads the report; null when none does
 * @throws Failure 409 when the report has not been read, and no job reads it
 */
async function readingOf(trx: OrganizationTransaction, { id, kind, file_id: fileId }: JobRow) {
  const locked = kind === 'stix.extract' && fileId !== null ? await lockParse(trx, fileId, id) : undefined;
  if (!locked) return null;
  const { file, parse } = locked;
  if (parse?.state === 'queued' || parse?.state === 'running') return parse.id;
  if (file.object_count === null)
    throw new Failure('conflict', 'The report has not been read. Run the job that reads it again first.');
  return null;
}

/**
 * Queues a failed or cancelled job again, without the progress and error of its last run.
 * @param waitsFor job that must succeed first
 */
async function requeue(trx: OrganizationTransaction, id: string, waitsFor: string | null): Promise<JobRow> {
  const requeued = await trx
    .updateTable('job')
    .set((eb) => ({
      state: 'queued',
      phase: waitsFor === null ? 'waiting' : waitingPhases.report,
      waits_for: waitsFor,
      done: 0,
      total: 0,
      tries: 0,
      result: null,
      error_code: null,
      error_message: null,
      finished_at: null,
      started_at: null,
      run_at: sql<Date>`now()`,
      rung_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', 'in', ['failed', 'cancelled'])
    .returning('id')
    .executeTakeFirst();
  if (!requeued) throw new Failure('conflict', 'Only failed or cancelled jobs can be retried.');
  return findJob(trx, id);
}

/**
 * The job that restores what another job deleted: the one that has not ended yet, else a new one.
 * @returns no job when nothing that can be restored is left
 * @throws Failure 409 when the job has deleted nothing that can be restored
 */
async function restorationOf(
  trx: OrganizationTransaction,
  caller: Caller,
  deletion: JobRow,
): Promise<{ noun: JobPayload<'records.restore'>['noun']; job?: JobRow }> {
  const { noun } = deletion.payload as Partial<JobPayload<'records.delete'>>;
  if (deletion.kind !== 'records.delete' || noun === undefined)
    throw new Failure('conflict', 'Only jobs that delete records can be undone.');
  if (noun === 'reports') throw new Failure('conflict', 'Deleted reports cannot be restored.');
  if (deletion.state !== 'succeeded')
    throw new Failure('conflict', 'This job has deleted nothing, so there is nothing to restore.');
  const running = await selectJobs(trx)
    .where('job.kind', '=', 'records.restore')
    .where('job.state', 'in', ['queued', 'running'])
    .where(sql<string>`job.payload ->> 'deletionId'`, '=', deletion.id)
    .executeTakeFirst();
  if (running) return { noun, job: running };
  if ((await countDeletedByJob(trx, { table: entities[noun].table, jobId: deletion.id })) === 0)
    return { noun };
  const { organizationId, accountId } = caller;
  const payload = { noun, deletionId: deletion.id };
  const id = await insertJob(trx, { organizationId, createdBy: accountId, kind: 'records.restore', payload });
  return { noun, job: await findJob(trx, id) };
}

const restoredReply = (restoredCount: number) => ({
  success: true as const,
  restoredCount,
  message:
    restoredCount === 0
      ? 'They were restored before, or deleted more than 30 days ago.'
      : `${plural(restoredCount, 'record')} ${restoredCount === 1 ? 'was' : 'were'} restored.`,
});

/** Records an action on a job under the name of the job's file. */
const record = (
  trx: OrganizationTransaction,
  caller: Caller,
  { action, job }: { action: 'job.cancelled' | 'job.retried'; job: JobRow },
) =>
  recordActivity(trx, caller, {
    action,
    nounId: job.id,
    name: job.file_name ?? '',
    detail: { kind: job.kind },
  });

export function jobRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const after = afterCommit(deps, app.log);
  const services = { deps, after };

  serve(
    app,
    { tag: 'jobs', table: jobs },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const { rows, ...page } = await showPage(trx, jobSource, { query, present: presentJob });
          return { jobs: rows, ...page };
        }),

      facets: ({ query, caller }) =>
        countFacets(database, { ...caller, field: query.field }, (trx) => facetsOf(trx, jobSource, query)),

      export: async ({ query, caller, reply }) =>
        sendExport<ListedJob>(reply, database, {
          organizationId: caller.organizationId,
          source: jobSource,
          query,
          present: exportJob,
          name: 'jobs',
        }),

      get: async ({ params, caller }) =>
        presentJobDetail(
          await withOrganization(database, caller.organizationId, (trx) => findJob(trx, params.id)),
        ),

      async cancel({ params, caller }) {
        const { job, cancelled } = await withOrganization(database, caller.organizationId, async (trx) => {
          requireJobAccess(caller, (await findJob(trx, params.id)).kind);
          const { own, waiting } = await cancelWithWaiting(trx, params.id);
          const job = await findJob(trx, params.id);
          // A job that had already ended is not cancelled.
          if (own.length > 0) await record(trx, caller, { action: 'job.cancelled', job });
          return { job, cancelled: [...own, ...waiting] };
        });
        await after.jobsCancelled(cancelled);
        return presentJobDetail(job);
      },

      async retry({ params, caller, request, reply }) {
        const { job, waiting } = await withOrganization(database, caller.organizationId, async (trx) => {
          const ended = await findJob(trx, params.id);
          requireJobAccess(caller, ended.kind);
          const waitsFor = await readingOf(trx, ended);
          const revived = await reviveWaiting(trx, params.id);
          const requeued = await requeue(trx, params.id, waitsFor);
          await record(trx, caller, { action: 'job.retried', job: requeued });
          return { job: requeued, waiting: revived };
        });
        await after.jobsQueued(waiting);
        return acceptJob(services, {
          request,
          reply,
          job,
          kind: job.kind as JobKind,
          message: 'The job was queued again.',
          done: (result) => ({ result, message: 'The job succeeded.' }),
        });
      },

      async restore({ params, caller, request, reply }) {
        const { noun, job } = await withOrganization(database, caller.organizationId, async (trx) =>
          restorationOf(trx, caller, await findJob(trx, params.id)),
        );
        if (job === undefined) return restoredReply(0);
        return acceptJob(services, {
          request,
          reply,
          job,
          kind: 'records.restore',
          message: `Restoring the ${noun} in the background.`,
          done: ({ changed }) => restoredReply(changed),
        });
      },
    },
  );
}
