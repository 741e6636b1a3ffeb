import {
  type BatchRow,
  cancelJobs,
  isReceiving,
  type JobRow,
  newId,
  type OrganizationTransaction,
  holdBatchJobs,
  releaseBatchJobs,
  retryFailedFiles,
} from '@riskboard/db';
import { sql } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { Failure } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';
import { lockBatch, requireBatch } from './find-batch.ts';

const now = sql<Date>`now()`;

interface NewBatch {
  name?: string | undefined;
  files?: number | undefined;
  bytes?: number | undefined;
}

export async function createBatch(
  trx: OrganizationTransaction,
  caller: Caller,
  { name, files, bytes }: NewBatch,
): Promise<BatchRow> {
  const id = newId();
  const text = name || 'Batch of reports';
  await trx
    .insertInto('batch')
    .values({
      organization_id: caller.organizationId,
      id,
      name: text,
      planned_files: files ?? null,
      planned_bytes: files === undefined ? null : (bytes ?? 0),
      created_by: caller.accountId,
    })
    .execute();
  await recordActivity(trx, caller, {
    action: 'batch.created',
    nounId: id,
    name: text,
    detail: { files: files ?? null, size: bytes ?? null },
  });
  return requireBatch(trx, id);
}

/** A change of a batch, and the jobs to enqueue, to stop, or only to publish after the commit. */
export interface ChangedBatch {
  batch: BatchRow;
  queued?: JobRow[];
  cancelled?: JobRow[];
  held?: JobRow[];
}

type Action = 'batch.paused' | 'batch.resumed';

async function record(
  trx: OrganizationTransaction,
  caller: Caller,
  { id, action }: { id: string; action: Action },
): Promise<BatchRow> {
  const batch = await requireBatch(trx, id);
  await recordActivity(trx, caller, { action, nounId: id, name: batch.name, detail: {} });
  return batch;
}

/** Jobs that are added to the batch meanwhile are held by the workers that would start them (`holdInPausedBatch`). */
export async function pauseBatch(
  trx: OrganizationTransaction,
  caller: Caller,
  id: string,
): Promise<ChangedBatch> {
  await lockBatch(trx, id);
  const { numUpdatedRows } = await trx
    .updateTable('batch')
    .set({ paused_at: now })
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return { batch: await requireBatch(trx, id) };
  const held = await holdBatchJobs(trx, id);
  return { batch: await record(trx, caller, { id, action: 'batch.paused' }), held };
}

export async function resumeBatch(
  trx: OrganizationTransaction,
  caller: Caller,
  id: string,
): Promise<ChangedBatch> {
  await lockBatch(trx, id);
  const { numUpdatedRows } = await trx
    .updateTable('batch')
    .set({ paused_at: null })
    .where('id', '=', id)
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return { batch: await requireBatch(trx, id) };
  const queued = await releaseBatchJobs(trx, id);
  return { batch: await record(trx, caller, { id, action: 'batch.resumed' }), queued };
}

/** Cancels what has not ended; a batch whose files have all ended stays as it is, unless more were expected. */
export async function cancelBatch(
  trx: OrganizationTransaction,
  caller: Caller,
  id: string,
): Promise<ChangedBatch> {
  await lockBatch(trx, id);
  const before = await requireBatch(trx, id);
  const cancelled = await cancelJobs(trx, { batchId: id });
  const isOver = !isReceiving(before) && (before.files > 0 || before.closed_at !== null);
  if (before.cancelled_at !== null || (cancelled.length === 0 && isOver)) return { batch: before };
  await trx.updateTable('batch').set({ cancelled_at: now, paused_at: null }).where('id', '=', id).execute();
  const batch = await requireBatch(trx, id);
  const count = batch.cancelled - before.cancelled;
  await recordActivity(trx, caller, {
    action: 'batch.cancelled',
    nounId: id,
    name: batch.name,
    detail: { count },
  });
  return { batch, cancelled };
}

/**
 * Expects no more files, also when one has arrived since the last closing. The activity log has no entry for this, because
 * clients do it at the end of each upload.
 */
export async function closeBatch(
  trx: OrganizationTransaction,
  _caller: Caller,
  id: string,
): Promise<ChangedBatch> {
  await lockBatch(trx, id);
  await trx.updateTable('batch').set({ closed_at: now }).where('id', '=', id).execute();
  return { batch: await requireBatch(trx, id) };
}

/**
 * Queues the failed files again. A cancelled batch runs again with them, so that it can be paused and cancelled; it
 * expects no more files.
 * @throws Failure 409 when no file can be retried
 */
export async function retryBatch(
  trx: OrganizationTransaction,
  caller: Caller,
  id: string,
): Promise<ChangedBatch & { retried: number }> {
  await lockBatch(trx, id);
  const { files, jobs } = await retryFailedFiles(trx, id);
  if (files === 0) throw new Failure('conflict', 'No failed file of this batch can be read again.');
  await trx
    .updateTable('batch')
    .set({ cancelled_at: null, closed_at: sql<Date>`coalesce(closed_at, now())` })
    .where('id', '=', id)
    .where('cancelled_at', 'is not', null)
    .execute();
  const batch = await requireBatch(trx, id);
  await recordActivity(trx, caller, {
    action: 'batch.retried',
    nounId: id,
    name: batch.name,
    detail: { count: files },
  });
  return { batch, queued: jobs, retried: files };
}
