import { type BatchRow, findBatch, type OrganizationTransaction, rowLock } from '@riskboard/db';
import { Failure } from '../lib/http/failure.ts';

/** A batch of this organization. @throws Failure 404 */
export async function requireBatch(trx: OrganizationTransaction, id: string): Promise<BatchRow> {
  const batch = await findBatch(trx, id);
  if (!batch) throw new Failure('not_found');
  return batch;
}

/** Locks a batch that is about to receive a file. @throws Failure 404, or 409 when it was cancelled */
export async function lockBatchForFiles(trx: OrganizationTransaction, id: string): Promise<void> {
  const batch = await trx
    .selectFrom('batch')
    .select('cancelled_at')
    .where('id', '=', id)
    .modifyEnd(rowLock(trx, { name: 'batch', id, mode: 'key share' }))
    .executeTakeFirst();
  if (!batch) throw new Failure('not_found');
  if (batch.cancelled_at !== null) throw new Failure('conflict', 'The batch was cancelled.');
}

/** Locks a batch that is about to be paused, resumed, cancelled or closed. @throws Failure 404 */
export async function lockBatch(trx: OrganizationTransaction, id: string): Promise<void> {
  const batch = await trx
    .selectFrom('batch')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(rowLock(trx, { name: 'batch', id, mode: 'update' }))
    .executeTakeFirst();
  if (!batch) throw new Failure('not_found');
}
