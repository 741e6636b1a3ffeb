import { type CsvImportRow, type OrganizationTransaction, rowLock, selectImports } from '@riskboard/db';
import type { JobContext } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';

export type ImportContext = JobContext<'csv.check'> | JobContext<'csv.import'> | JobContext<'csv.undo'>;

/** The import of a job. @throws JobFailure when it was deleted, or when another run was requested after this job */
export async function findOwnImport(
  trx: OrganizationTransaction,
  { job, payload }: Pick<ImportContext, 'job' | 'payload'>,
): Promise<CsvImportRow> {
  const found = await selectImports(trx).where('csv_import.id', '=', payload.importId).executeTakeFirst();
  if (!found) throw new JobFailure('deleted', 'The import has been deleted.');
  if (found.job_id !== job.id)
    throw new JobFailure('replaced', 'Another run of this import was requested after this job.');
  return found;
}

/** The same, locked until the end of the transaction: no other run is requested meanwhile. */
export async function lockOwnImport(
  trx: OrganizationTransaction,
  context: Pick<ImportContext, 'job' | 'payload'>,
): Promise<CsvImportRow> {
  const { importId: id } = context.payload;
  await trx
    .selectFrom('csv_import')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(rowLock(trx, { name: 'import', id, mode: 'no key update' }))
    .execute();
  return findOwnImport(trx, context);
}
