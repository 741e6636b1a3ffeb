import type { BatchFile, batches, Call } from '@riskboard/contract';
import {
  batchFileSource,
  type BatchFileRow,
  type OrganizationTransaction,
  presentBatchFile,
  runsOfFiles,
} from '@riskboard/db';
import { showPage } from '../lib/list.ts';
import { requireBatch } from './find-batch.ts';

/** One page of the files of a batch with their attempts. @throws Failure 404 */
export async function batchFiles(
  trx: OrganizationTransaction,
  id: string,
  query: Call<typeof batches.files>['query'],
) {
  await requireBatch(trx, id);
  const input = { ...query, batchId: id };
  const { rows, ...page } = await showPage(trx, batchFileSource, {
    query: input,
    present: (row: BatchFileRow) => row,
  });
  const runs = await runsOfFiles(
    trx,
    rows.map((row) => row.id),
  );
  const files = rows.map((row): BatchFile => ({
    ...presentBatchFile(row),
    ...(runs.get(row.id) ?? { attempts: [], heartbeatAt: null }),
  }));
  return { files, ...page };
}
