import { type CsvImport, type ImportNoun, importTables } from '@riskboard/contract';
import { CsvFault, scanCsv } from '@riskboard/csv';
import { newId, presentImport, selectImports, withOrganization } from '@riskboard/db';
import { Pacer } from '@riskboard/operation';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { invalidField } from '../lib/http/failure.ts';
import { confirmAccess } from '../lib/security/access.ts';
import type { Caller } from '../lib/security/caller.ts';
import { cleanFileName } from '../lib/upload/file-name.ts';
import { storeUpload, uploadedFile } from '../lib/upload/store-upload.ts';
import { inReadingSlots } from './reading-slots.ts';

const field = 'csvFile';
/** Spreadsheets and databases export tab separated files under the other two. */
const endings = ['.csv', '.tsv', '.txt'] as const;

/** Stores a CSV file with its columns and their automatic match. @throws Failure 413, 415, 422 with the line */
export async function uploadCsv(
  { database }: Deps,
  { caller, request, noun }: { caller: Caller; request: FastifyRequest; noun: ImportNoun },
): Promise<CsvImport> {
  const file = await uploadedFile(request.parts(), field);
  const name = cleanFileName(file, endings);
  const { contentId, size, result } = await storeUpload(database, caller.organizationId, {
    file,
    read: (bytes) =>
      scanCsv(inReadingSlots(caller.organizationId, bytes), noun, new Pacer().pauseIfDue).catch(toFailure),
    confirm: () => confirmAccess(request),
  });
  const id = newId();
  return withOrganization(database, caller.organizationId, async (trx) => {
    await trx.updateTable('file_content').set({ complete: true }).where('id', '=', contentId).execute();
    await trx
      .insertInto('csv_import')
      .values({
        organization_id: caller.organizationId,
        id,
        noun,
        file_name: name,
        content_id: contentId,
        bytes: size,
        row_count: result.rows,
        columns: JSON.stringify(result.columns),
        created_by: caller.accountId,
      })
      .execute();
    await recordActivity(trx, caller, {
      action: `${importTables[noun]}.import-uploaded`,
      nounId: null,
      name,
      detail: { size },
    });
    return presentImport(await selectImports(trx).where('csv_import.id', '=', id).executeTakeFirstOrThrow());
  });
}

function toFailure(error: unknown): never {
  throw error instanceof CsvFault ? invalidField(field, error.message) : error;
}
