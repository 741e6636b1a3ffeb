import type { ExtractKind } from '@riskboard/contract';
import {
  addBatchFile,
  batchFileId,
  cancelJobs,
  dropUnextracted,
  insertJob,
  interruptRuns,
  type JobRow,
  lockFileName,
  lockFileOfName,
  nameUploaded,
  newId,
  noRecordChanges,
  type OrganizationTransaction,
  type RecordChanges,
  selectJobs,
  waitForRuns,
} from '@riskboard/db';
import { sql } from 'kysely';
import type { Caller } from '../../lib/security/caller.ts';
import { recordActivity } from '../../lib/activity/record-activity.ts';
import { lockBatchForFiles } from '../../batches/find-batch.ts';
import type { Received } from './receive.ts';

export interface Upload extends Received {
  name: string;
  extract: ExtractKind[];
  /** The batch that it is a file of. */
  batch?: string | undefined;
}

export interface SavedUpload {
  fileId: string;
  action: 'created' | 'replaced';
  jobId: string;
  queued: JobRow[];
  cancelled: JobRow[];
  /** Records that name the file now. */
  records: RecordChanges;
}

/** Interrupts the runs that hold the report that an upload replaces, in a transaction of its own before `saveUpload`. */
export async function interruptRunsOfName(trx: OrganizationTransaction, name: string): Promise<JobRow[]> {
  const files = await trx
    .selectFrom('report_file')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .execute();
  return interruptRuns(
    trx,
    files.map((file) => file.id),
  );
}

/**
 * Stores received content as a report, in one transaction with its parse job: a new file, or new content for the file
 * of that name. The same bytes keep the stored content. What the old content asserted stays until the new one has been read:
 * its records keep their ids, scores and history where the new content has them too, and all of them where it cannot be read.
 */
export async function saveUpload(
  trx: OrganizationTransaction,
  caller: Caller,
  upload: Upload,
): Promise<SavedUpload> {
  await waitForRuns(trx);
  if (upload.batch !== undefined) await lockBatchForFiles(trx, upload.batch);
  await lockFileName(trx, upload.name);
  const old = await lockFileOfName(trx, upload.name);
  const sameBytes = old?.sha256.equals(upload.sha256) === true;
  // The same bytes are stored already.
  const contentId = (sameBytes ? old?.content_id : undefined) ?? upload.contentId;
  if (sameBytes) await trx.deleteFrom('file_content').where('id', '=', upload.contentId).execute();
  else await trx.updateTable('file_content').set({ complete: true }).where('id', '=', contentId).execute();
  const fileId = old?.id ?? newId();
  const jobId = newId();
  const columns = {
    name: upload.name,
    content_id: contentId,
    media: upload.media,
    size: upload.size,
    sha256: upload.sha256,
    uploaded_at: sql<Date>`now()`,
    uploaded_by: caller.accountId,
    parse_job_id: jobId,
  };
  const records = noRecordChanges();
  let cancelled: JobRow[] = [];
  if (old) {
    if (!sameBytes) await dropUnextracted(trx, fileId);
    await trx
      .updateTable('report_file')
      .set({ ...columns, ...(sameBytes ? {} : unread) })
      .where('id', '=', fileId)
      .execute();
    // Otherwise the job does it: it would wait for the extractions of other reports.
    if (!sameBytes || old.name !== upload.name) await nameUploaded(trx, fileId, records);
    cancelled = await cancelJobs(trx, { fileIds: [fileId] });
    if (!sameBytes) await trx.deleteFrom('file_content').where('id', '=', old.content_id).execute();
  } else {
    await trx
      .insertInto('report_file')
      .values({ organization_id: caller.organizationId, id: fileId, ...columns })
      .execute();
  }
  const queued = await queueWork(trx, caller, { fileId, jobId, upload: { ...upload, contentId } });
  const action = old ? 'replaced' : 'created';
  await recordActivity(trx, caller, {
    action: old ? 'report.replaced' : 'report.uploaded',
    nounId: fileId,
    name: upload.name,
    detail: { size: upload.size, sha256: upload.sha256.toString('hex'), extract: upload.extract },
  });
  return { fileId, action, jobId, queued, cancelled, records };
}

/** Clears the results of the parse of earlier content. */
const unread = {
  stix_version: null,
  wrapper: null,
  incomplete: false,
  object_count: null,
  mapped: null,
  unmapped: null,
  failed: null,
  superseded: null,
  revoked: null,
  deprecated: null,
  vulnerability_records: null,
  threat_records: null,
  objects: null,
  by_type: null,
  warnings: '[]',
  reader: null,
};

/** The parse, and the extraction that waits for it; with the file of the batch that they belong to. */
async function queueWork(
  trx: OrganizationTransaction,
  caller: Caller,
  { fileId, jobId, upload }: { fileId: string; jobId: string; upload: Upload },
): Promise<JobRow[]> {
  const { name, size, contentId, extract } = upload;
  const file = upload.batch === undefined ? undefined : { batchId: upload.batch, name, size };
  const batch = file && { id: file.batchId, fileId: await batchFileId(trx, file) };
  const common = { organizationId: caller.organizationId, fileId, batch, createdBy: caller.accountId };
  await insertJob(trx, { ...common, id: jobId, kind: 'stix.parse', payload: { fileId, contentId } });
  const extractJobId =
    extract.length === 0
      ? null
      : await insertJob(trx, {
          ...common,
          kind: 'stix.extract',
          payload: { fileId, kinds: extract },
          waitsFor: jobId,
        });
  if (file && batch)
    await addBatchFile(trx, { ...file, id: batch.fileId, fileId, parseJobId: jobId, extractJobId });
  const ids = extractJobId === null ? [jobId] : [jobId, extractJobId];
  return selectJobs(trx).where('job.id', 'in', ids).execute();
}
