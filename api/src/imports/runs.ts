import {
  type ImportCounts,
  type ImportPlan,
  importTables,
  type JobResult,
  type UndoCounts,
} from '@riskboard/contract';
import {
  cancelJobs,
  type CsvImportRow,
  deleteImport,
  insertJob,
  type JobRow,
  lockImport,
  type OrganizationTransaction,
  presentImport,
  selectJobs,
  waitForRuns,
  withOrganization,
} from '@riskboard/db';
import { formatCount } from '@riskboard/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { Failure } from '../lib/http/failure.ts';
import type { AfterCommit } from '../lib/publish.ts';
import type { Caller } from '../lib/security/caller.ts';
import { findImport } from './find.ts';
import { checkPlan } from './plan.ts';

interface Call {
  id: string;
  caller: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

type RunKind = 'csv.check' | 'csv.import' | 'csv.undo';

const counted = (n: number, what: string) => `${formatCount(n)} ${what}`;

const importedText = ({ created, updated, unchanged, failed }: ImportCounts): string =>
  [
    counted(created, 'created'),
    counted(updated, 'updated'),
    counted(unchanged, 'unchanged'),
    counted(failed, 'failed'),
  ].join(', ');

const messages = {
  'csv.check': {
    accepted: 'Checking the file.',
    done: (result: object) => importedText(result as ImportCounts),
  },
  'csv.import': {
    accepted: 'Importing the file.',
    done: (result: object) => importedText(result as ImportCounts),
  },
  'csv.undo': {
    accepted: 'Undoing the import.',
    done(result: object) {
      const { deleted, restored, kept } = result as UndoCounts;
      return [counted(deleted, 'deleted'), counted(restored, 'restored'), counted(kept, 'kept')].join(', ');
    },
  },
} as const satisfies Record<RunKind, { accepted: string; done: (result: object) => string }>;

/** @throws Failure 409 when the import is in a state in which it cannot be run */
function requireState(row: CsvImportRow, kind: RunKind): void {
  const { state } = presentImport(row);
  if (state === 'checking' || state === 'importing' || state === 'undoing')
    throw new Failure('conflict', 'Another run of this import has not ended yet.');
  if (kind === 'csv.undo' && state !== 'imported')
    throw new Failure('conflict', 'This file is not imported, so there is nothing to undo.');
  if (kind !== 'csv.undo' && state === 'imported')
    throw new Failure('conflict', 'This file is imported already. Undo it, or upload the file again.');
}

/** Queues a run of an import, one at a time, in the transaction that stores the choices for it. */
async function queueRun(
  trx: OrganizationTransaction,
  { id, caller }: Call,
  { kind, plan }: { kind: RunKind; plan?: ImportPlan },
): Promise<JobRow> {
  // A run holds the lock until its end, so its state is read first.
  requireState(await findImport(trx, id), kind);
  const row = await lockImport(trx, id);
  if (!row) throw new Failure('not_found', 'Import not found.');
  requireState(row, kind);
  if (plan) await checkPlan(trx, row, plan);
  const jobId = await insertJob(trx, {
    kind,
    payload: { importId: row.id },
    organizationId: caller.organizationId,
    csvImportId: row.id,
    createdBy: caller.accountId,
  });
  await trx
    .updateTable('csv_import')
    .set({
      job_id: jobId,
      changed_at: sql<Date>`now()`,
      ...(plan && {
        mapping: JSON.stringify(plan.mapping),
        key: plan.key,
        project_id: plan.projectId ?? null,
      }),
    })
    .where('id', '=', row.id)
    .execute();
  return selectJobs(trx).where('job.id', '=', jobId).executeTakeFirstOrThrow();
}

/** 202 with the job, or with `Prefer: wait` 200 with the result when the job ends in time. */
export async function runImport<K extends RunKind>(
  services: { deps: Deps; after: AfterCommit },
  call: Call,
  run: { kind: K; plan?: ImportPlan },
): Promise<{ result: JobResult<K>; message: string } | { jobId: string; message: string }> {
  const { caller, request, reply } = call;
  const job = await withOrganization(services.deps.database, caller.organizationId, (trx) =>
    queueRun(trx, call, run),
  );
  const { accepted, done } = messages[run.kind];
  return acceptJob(services, {
    request,
    reply,
    job,
    kind: run.kind,
    message: accepted,
    done: (result) => ({ result, message: done(result) }),
    failed: 'The run failed.',
  });
}

/** Cancels the runs of an import, then deletes it with its file and its report. @throws Failure 404 */
export async function removeImport(
  { deps: { database }, after }: { deps: Deps; after: AfterCommit },
  { id, caller }: Pick<Call, 'id' | 'caller'>,
): Promise<void> {
  const cancelled = await withOrganization(database, caller.organizationId, async (trx) => {
    await findImport(trx, id);
    return cancelJobs(trx, { csvImportId: id });
  });
  await Promise.all([
    after.jobsCancelled(cancelled),
    withOrganization(database, caller.organizationId, async (trx) => {
      await waitForRuns(trx);
      const row = await lockImport(trx, id);
      if (!row) throw new Failure('not_found', 'Import not found.');
      await deleteImport(trx, row);
      await recordActivity(trx, caller, {
        action: `${importTables[row.noun]}.import-deleted`,
        nounId: null,
        name: row.file_name,
      });
    }),
  ]);
}
