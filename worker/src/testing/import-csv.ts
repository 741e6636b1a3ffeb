import type { CsvImport, ImportNoun, ImportRow } from '@riskboard/contract';
import { scanCsv } from '@riskboard/csv';
import { insertJob, newId, presentImport, selectImports } from '@riskboard/db';
import { storeContent } from './store-report.ts';
import type { TestHarness } from './test-harness.ts';

export interface CsvUpload {
  noun?: ImportNoun;
  csv: string;
  key?: string;
  projectId?: string;
  /** Field by header; by default the automatic match. */
  fields?: Readonly<Record<string, string | null>>;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Stores a CSV file as the api does. @returns the id of the import */
export async function uploadCsv(harness: TestHarness, upload: CsvUpload): Promise<string> {
  const { noun = 'assets', key = 'name', projectId, fields = {} } = upload;
  const bytes = Buffer.from(upload.csv);
  const { columns, rows } = await scanCsv(once(bytes), noun, () => Promise.resolve());
  const { contentId } = await storeContent(harness.database, harness.organizationId, bytes);
  const id = newId();
  const mapping = columns.map(({ index, header, field }) => ({
    column: index,
    field: Object.hasOwn(fields, header) ? (fields[header] ?? null) : field,
  }));
  await harness.inside(async (trx) => {
    await trx.updateTable('file_content').set({ complete: true }).where('id', '=', contentId).execute();
    await trx
      .insertInto('csv_import')
      .values({
        organization_id: harness.organizationId,
        id,
        noun,
        file_name: 'inventory.csv',
        content_id: contentId,
        bytes: bytes.length,
        row_count: rows,
        columns: JSON.stringify(columns),
        mapping: JSON.stringify(mapping),
        key,
        project_id: projectId ?? null,
      })
      .execute();
  });
  return id;
}

/** Requests a run as the api does. @returns the job's id */
export const requestRun = (
  harness: TestHarness,
  importId: string,
  kind: 'csv.check' | 'csv.import' | 'csv.undo',
): Promise<string> =>
  harness.inside(async (trx) => {
    const { organizationId } = harness;
    const jobId = await insertJob(trx, {
      kind,
      payload: { importId },
      organizationId,
      csvImportId: importId,
    });
    await trx.updateTable('csv_import').set({ job_id: jobId }).where('id', '=', importId).execute();
    return jobId;
  });

/** Runs a job of an import to its end. @returns its result; the error of a job that failed */
export async function runImport(
  harness: TestHarness,
  importId: string,
  kind: 'csv.check' | 'csv.import' | 'csv.undo',
): Promise<unknown> {
  const jobId = await requestRun(harness, importId, kind);
  await harness.run(jobId);
  const job = await harness.job(jobId);
  return job.result ?? { state: job.state, error: job.error_message };
}

/** Uploads and imports a file. */
export async function importCsv(harness: TestHarness, upload: CsvUpload) {
  const id = await uploadCsv(harness, upload);
  const result = await runImport(harness, id, 'csv.import');
  return { id, result };
}

export const findImport = (harness: TestHarness, id: string): Promise<CsvImport> =>
  harness.inside(async (trx) =>
    presentImport(await selectImports(trx).where('csv_import.id', '=', id).executeTakeFirstOrThrow()),
  );

/** The report: line, action, and the problem with its field. */
export const reportOf = (
  harness: TestHarness,
  id: string,
): Promise<Pick<ImportRow, 'line' | 'action' | 'field' | 'problem'>[]> =>
  harness.inside((trx) =>
    trx
      .selectFrom('csv_import_row')
      .select(['line', 'action', 'field', 'problem'])
      .where('import_id', '=', id)
      .orderBy('line')
      .execute(),
  );

/** Creates assets of these names in a project of their own. */
export async function addAssets(harness: TestHarness, names: readonly string[]): Promise<void> {
  const { organizationId } = harness;
  const projectId = newId();
  await harness.inside(async (trx) => {
    await trx
      .insertInto('project')
      .values({ organization_id: organizationId, id: projectId, name: 'Harbour', start_date: '2026-01-01' })
      .execute();
    await trx
      .insertInto('asset')
      .values(
        names.map((name) => ({
          organization_id: organizationId,
          id: newId(),
          project_id: projectId,
          name,
          asset_type_id: 1,
        })),
      )
      .execute();
  });
}
