import { sql } from 'kysely';
import { expectRowLock } from '../locks/row-lock.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * Notes that bytes of a file of the batch arrive, by the database's clock; once in `everyMs` for all api processes together.
 * @returns whether it was noted now: not in a batch that was cancelled or deleted meanwhile
 */
export async function noteReceiving(
  trx: OrganizationTransaction,
  { batchId, everyMs }: { batchId: string; everyMs: number },
): Promise<boolean> {
  expectRowLock(trx, { name: 'batch', id: batchId });
  const { numUpdatedRows } = await trx
    .updateTable('batch')
    .set({ receiving_at: sql<Date>`now()` })
    .where('id', '=', batchId)
    .where('cancelled_at', 'is', null)
    .where(sql<boolean>`coalesce(receiving_at <= now() - make_interval(secs => ${everyMs / 1000}), true)`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
