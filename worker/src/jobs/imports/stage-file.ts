import type { ImportPlan } from '@riskboard/contract';
import { CsvFault, type CsvPart, readCsv, type ReadRow, RowReader } from '@riskboard/csv';
import {
  closeStaging,
  type CsvImportRow,
  type ImportRun,
  openStaging,
  type OrganizationTransaction,
  readContent,
  stageRows,
} from '@riskboard/db';
import { Pacer } from '@riskboard/operation';
import type { JobContext } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';
import { findOwnImport } from './own-import.ts';

type Context = JobContext<'csv.check'> | JobContext<'csv.import'>;

/** Rows that are staged with one statement. */
const batchSize = 500;

/** A file whose rows are in the temporary table of the transaction. */
export interface StagedFile {
  csvImport: CsvImportRow;
  run: ImportRun;
}

function planOf({ mapping, key, project_id: projectId }: CsvImportRow): ImportPlan {
  if (!mapping || key === null) throw new JobFailure('not_mapped', 'No columns have been chosen.');
  return { mapping, key, ...(projectId !== null && { projectId }) };
}

async function* rowsOf(
  { deps, organizationId, progress }: Context,
  { content_id: contentId, bytes: size }: CsvImportRow,
  pacer: Pacer,
): AsyncGenerator<CsvPart> {
  let done = 0;
  progress({ phase: 'reading', done, total: size });
  const content = readContent(deps.database, { organizationId, contentId, size });
  const counted = (async function* () {
    for await (const bytes of content) {
      yield bytes;
      done += bytes.length;
      progress({ phase: 'reading', done, total: size });
    }
  })();
  let isHeader = true;
  for await (const { delimiter, rows } of readCsv(counted, pacer.pauseIfDue)) {
    const below = isHeader ? rows.slice(1) : rows;
    if (rows.length > 0) isHeader = false;
    yield { delimiter, rows: below };
  }
}

/**
 * Reads the rows of the file into a temporary table. While a batch is written, the next one is read; memory does not
 * grow with the file.
 */
export async function stageFile(trx: OrganizationTransaction, context: Context): Promise<StagedFile> {
  const csvImport = await findOwnImport(trx, context);
  const plan = planOf(csvImport);
  const reader = new RowReader(csvImport.noun, plan);
  const run: ImportRun = {
    noun: csvImport.noun,
    fields: reader.fields,
    key: plan.key,
    projectId: csvImport.project_id,
  };
  const pacer = new Pacer(context.signal);
  await openStaging(trx, run);
  let batch: ReadRow[] = [];
  let writing = Promise.resolve();
  const send = async () => {
    const rows = batch;
    batch = [];
    await writing;
    writing = stageRows(trx, run, rows);
    // A failure is thrown where the write is awaited.
    writing.catch(() => undefined);
  };
  try {
    for await (const { delimiter, rows } of rowsOf(context, csvImport, pacer)) {
      for (const row of rows) {
        batch.push(reader.read(row, { columns: csvImport.columns.length, delimiter }));
        if (batch.length >= batchSize) await send();
        await pacer.pauseIfDue();
      }
    }
    await send();
    await writing;
  } catch (error) {
    // The caller rolls back only after the last write has ended.
    await writing.catch(() => undefined);
    if (error instanceof CsvFault) throw new JobFailure('not_csv', error.message, { cause: error });
    throw error;
  }
  await closeStaging(trx, run);
  return { csvImport, run };
}
