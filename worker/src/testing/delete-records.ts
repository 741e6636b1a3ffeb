import { type DeletedRow, deleteRecordsInBatches, type OrganizationTransaction } from '@riskboard/db';

/** Moves records to the trash. @returns the deleted ones */
export async function deleteRecords(
  trx: OrganizationTransaction,
  deletion: Parameters<typeof deleteRecordsInBatches>[1],
): Promise<DeletedRow[]> {
  const deleted: DeletedRow[] = [];
  await deleteRecordsInBatches(trx, deletion, (rows) => void deleted.push(...rows));
  return deleted;
}
