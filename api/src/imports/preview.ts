import { importLimits, type ImportPlan, type ImportPreviewRow } from '@riskboard/contract';
import { type CsvPart, type CsvRow, readCsv, type ReadRow, RowReader } from '@riskboard/csv';
import {
  closeStaging,
  type CsvImportRow,
  type Database,
  type ImportRun,
  openStaging,
  type OrganizationTransaction,
  type PlannedRow,
  plannedRows,
  planRows,
  readContent,
  stageRows,
  withOrganization,
} from '@riskboard/db';
import { Pacer } from '@riskboard/operation';
import { findImport } from './find.ts';
import { checkPlan } from './plan.ts';
import { inReadingSlots } from './reading-slots.ts';

/** Characters of a cell that the preview shows. */
const shownMax = 2000;

const actions = { created: 'create', updated: 'update', unchanged: 'unchanged', failed: 'fail' } as const;

/** Bytes in which the first rows are looked for: a file may begin with millions of blank lines. */
const searchedBytes = 4 * 1024 * 1024;

/** The first rows below the header; fewer when the beginning of the file has fewer. */
async function firstRows(
  database: Database,
  organizationId: string,
  { content_id: contentId, bytes: size }: CsvImportRow,
): Promise<CsvPart> {
  const found: CsvRow[] = [];
  let delimiter = '';
  let searched = 0;
  const chunks = (async function* () {
    for await (const chunk of readContent(database, { organizationId, contentId, size })) {
      yield chunk;
      searched += chunk.length;
    }
  })();
  for await (const part of readCsv(inReadingSlots(organizationId, chunks), new Pacer().pauseIfDue)) {
    ({ delimiter } = part);
    found.push(...part.rows.slice(0, importLimits.preview + 1 - found.length));
    if (found.length > importLimits.preview || searched >= searchedBytes) break;
  }
  return { delimiter, rows: found.slice(1) };
}

/** A problem is at its cell, if there is one; else it is one of the row. */
function presentRow(
  reader: RowReader,
  row: CsvRow,
  outcome: { read: ReadRow; planned: PlannedRow },
): ImportPreviewRow {
  const { read, planned } = outcome;
  const isFailed = planned.action === 'failed';
  const found = new Map<string, string>();
  if (isFailed) {
    for (const { field, message } of read.problems) if (!found.has(field)) found.set(field, message);
    const { missing } = read;
    if (missing !== null && planned.isNew && !found.has(missing.field))
      found.set(missing.field, missing.message);
    const own = planned.field ?? '';
    if (planned.problem !== null && !found.has(own)) found.set(own, planned.problem);
  }
  const cells = reader.texts(row).map(({ column, field, text }) => {
    const problem = found.get(field);
    found.delete(field);
    return {
      column,
      field,
      value: text.slice(0, shownMax).toWellFormed(),
      ...(problem !== undefined && { problem }),
    };
  });
  const { line } = row;
  return { line, action: actions[planned.action], name: planned.name, cells, problems: [...found.values()] };
}

async function planFirst(
  trx: OrganizationTransaction,
  run: ImportRun,
  { rows, isWhole }: { rows: readonly ReadRow[]; isWhole: boolean },
): Promise<Map<number, PlannedRow>> {
  await openStaging(trx, run);
  await stageRows(trx, run, rows);
  await closeStaging(trx, run);
  await planRows(trx, run, { isWhole });
  return new Map((await plannedRows(trx)).map((row) => [row.line, row]));
}

/**
 * What would become of the first rows of a file; temporary tables only. Whether a related asset is a later row of the
 * file is not known here: the dry run reports names that do not exist.
 * @throws Failure 404, 422
 */
export async function previewImport(
  database: Database,
  organizationId: string,
  { id, plan }: { id: string; plan: ImportPlan },
): Promise<ImportPreviewRow[]> {
  const row = await withOrganization(database, organizationId, async (trx) => {
    const found = await findImport(trx, id);
    await checkPlan(trx, found, plan);
    return found;
  });
  const { delimiter, rows } = await firstRows(database, organizationId, row);
  const reader = new RowReader(row.noun, plan);
  const read = rows.map((one) => reader.read(one, { columns: row.columns.length, delimiter }));
  const run: ImportRun = {
    noun: row.noun,
    fields: reader.fields,
    key: plan.key,
    projectId: plan.projectId ?? null,
  };
  const planned = await withOrganization(database, organizationId, (trx) =>
    planFirst(trx, run, { rows: read, isWhole: rows.length === row.row_count }),
  );
  return rows.flatMap((one, at) => {
    const outcome = { read: read[at], planned: planned.get(one.line) };
    return outcome.read && outcome.planned
      ? [presentRow(reader, one, { read: outcome.read, planned: outcome.planned })]
      : [];
  });
}
