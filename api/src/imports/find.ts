import { type CsvImportRow, type OrganizationTransaction, selectImports } from '@riskboard/db';
import { Failure } from '../lib/http/failure.ts';

/** @throws Failure 404 */
export async function findImport(trx: OrganizationTransaction, id: string): Promise<CsvImportRow> {
  const found = await selectImports(trx).where('csv_import.id', '=', id).executeTakeFirst();
  if (!found) throw new Failure('not_found', 'Import not found.');
  return found;
}
