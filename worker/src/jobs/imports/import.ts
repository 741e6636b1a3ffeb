import { changedEvent, type ImportCounts, importTables } from '@riskboard/contract';
import {
  countPlanned,
  countWarnings,
  type ImportRun,
  lockAssertions,
  lockAssets,
  lockMatched,
  type OrganizationTransaction,
  planRows,
  saveRows,
  withOrganization,
} from '@riskboard/db';
import { sql } from 'kysely';
import { recordEntries } from '../run/activity-entries.ts';
import type { JobContext, JobHandler } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';
import { lockOwnImport } from './own-import.ts';
import { type StagedFile, stageFile } from './stage-file.ts';

/** Compares all rows of a file with the records and writes the report; writes no record. */
export const csvCheck: JobHandler<'csv.check'> = async (context) => {
  await withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const staged = await stageFile(trx, context);
    context.progress({ phase: 'comparing', done: 0, total: 0 });
    await lockOwnImport(trx, context);
    await requireProject(trx, staged.run);
    await planRows(trx, staged.run, { isWhole: true });
    const { counts } = await save(trx, context, {
      staged,
      isDry: true,
      onRows: (done, total) => context.progress({ phase: 'reporting', done, total }),
    });
    await context.finish(trx, counts);
  });
  return [];
};

/** Creates and updates the records of a file, all of them in one transaction with the report. */
export const csvImport: JobHandler<'csv.import'> = (context) =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const staged = await stageFile(trx, context);
    context.progress({ phase: 'comparing', done: 0, total: 0 });
    const { noun, file_name: name } = await lockOwnImport(trx, context);
    await lockRecords(trx, staged.run);
    await requireProject(trx, staged.run);
    await planRows(trx, staged.run, { isWhole: true });
    const { counts, created, updated, related } = await save(trx, context, {
      staged,
      isDry: false,
      onRows: (done, total) => context.progress({ phase: 'saving', done, total }),
    });
    const { rows: _rows, ...detail } = counts;
    const table = importTables[noun];
    await recordEntries(trx, context, {
      action: `${table}.imported`,
      entries: [{ nounId: null, name, detail }],
    });
    await context.finish(trx, counts);
    const by = context.job.created_by;
    return [
      ...(created.count > 0
        ? [changedEvent(`${table}.changed`, { action: 'created', by }, created.rows)]
        : []),
      ...(updated.count > 0
        ? [changedEvent(`${table}.changed`, { action: 'updated', by }, updated.rows)]
        : []),
      ...(noun === 'vulnerabilities' && related.count > 0
        ? [changedEvent('asset.changed', { action: 'updated', by }, related.rows)]
        : []),
    ];
  });

/** Before the rows are compared: no other change comes between the comparison and the writes. */
async function lockRecords(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  if (run.noun === 'assets' || run.fields.includes('relatedAssets')) await lockAssets(trx);
  if (run.noun === 'assets' && !run.fields.includes('criticality')) return;
  // The criticality of an asset writes the rows of related vulnerabilities.
  await lockAssertions(trx);
  if (run.noun === 'assets') return;
  await lockMatched(trx, run);
}

/** @throws JobFailure when the project of the request was deleted since */
async function requireProject(trx: OrganizationTransaction, { projectId }: ImportRun): Promise<void> {
  if (projectId === null) return;
  const known = await trx.selectFrom('project').select('id').where('id', '=', projectId).executeTakeFirst();
  if (!known) throw new JobFailure('no_project', 'The chosen project has been deleted.');
}

interface Saving {
  staged: StagedFile;
  isDry: boolean;
  onRows: (done: number, total: number) => void;
}

async function save(
  trx: OrganizationTransaction,
  { signal, job }: JobContext<'csv.check'> | JobContext<'csv.import'>,
  {
    staged: {
      csvImport: { id },
      run,
    },
    isDry,
    onRows,
  }: Saving,
) {
  signal.throwIfAborted();
  const counts: ImportCounts = {
    ...(await countPlanned(trx)),
    ...(isDry && (await countWarnings(trx, run))),
  };
  const saved = await saveRows(trx, {
    run,
    importId: id,
    by: job.created_by,
    isDry,
    onRows(done) {
      signal.throwIfAborted();
      onRows(done, counts.rows);
    },
  });
  const now = sql<Date>`now()`;
  await trx
    .updateTable('csv_import')
    .set({
      counts: JSON.stringify(counts),
      undo_counts: null,
      ...(isDry ? {} : { imported_at: now, undone_at: null }),
      changed_at: now,
    })
    .where('id', '=', id)
    .execute();
  return { counts, ...saved };
}
