import { type JobKind, type JobPayload, Job } from '@riskboard/contract';
import type { Selectable } from 'kysely';
import { newId } from './new-id.ts';
import type { JobTable } from './schema.ts';
import type { OrganizationTransaction } from './with-organization.ts';

export interface NewJob<K extends JobKind> {
  kind: K;
  payload: JobPayload<K>;
  organizationId: string;
  fileId?: string;
  createdBy?: string | null;
}

export type JobRow = Selectable<JobTable> & { file_name: string | null };

/** Writes the row, in the transaction of the change that asks for the work. Ring the bell after the commit. */
export async function insertJob<K extends JobKind>(trx: OrganizationTransaction, job: NewJob<K>): Promise<string> {
  const id = newId();
  await trx
    .insertInto('job')
    .values({
      id,
      organization_id: job.organizationId,
      kind: job.kind,
      payload: JSON.stringify(job.payload),
      file_id: job.fileId ?? null,
      created_by: job.createdBy ?? null,
    })
    .execute();
  return id;
}

/** Jobs with the name of their file, as the contract shows them. */
export const selectJobs = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('job')
    .leftJoin('report_file', (join) =>
      join
        .onRef('report_file.organization_id', '=', 'job.organization_id')
        .onRef('report_file.id', '=', 'job.file_id'),
    )
    .selectAll('job')
    .select('report_file.name as file_name');

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** The only road from a job's row to the wire. */
export const presentJob = (row: JobRow): Job => ({
  _id: row.id,
  kind: row.kind as JobKind,
  state: row.state,
  progress: { phase: row.phase, done: row.done, total: row.total },
  fileId: row.file_id,
  fileName: row.file_name,
  vulnerabilityId: row.vulnerability_id,
  result: row.result as Job['result'],
  error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
  attempt: row.attempt,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  startedAt: iso(row.started_at),
  finishedAt: iso(row.finished_at),
  createdBy: row.created_by,
});
