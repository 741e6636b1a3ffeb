import { type DeletedRow, deleteRecordsInBatches } from '../trash/delete-records.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Moves records to the trash. @returns the deleted ones */
export async function deleteRecords(
  trx: OrganizationTransaction,
  deletion: Parameters<typeof deleteRecordsInBatches>[1],
): Promise<DeletedRow[]> {
  const deleted: DeletedRow[] = [];
  await deleteRecordsInBatches(trx, deletion, (rows) => void deleted.push(...rows));
  return deleted;
}
