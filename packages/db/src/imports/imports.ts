import type { CsvImport, JobKind } from '@riskboard/contract';
import { type Selectable, sql } from 'kysely';
import { rowLock } from '../locks/row-lock.ts';
import type { Schema } from '../tables.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

export type CsvImportRow = Selectable<Schema['csv_import']> & {
  job_kind: string | null;
  job_state: string | null;
  job_error: string | null;
  creator: string;
};

/** CSV imports with the state of their last job and the name of the person who uploaded them. */
export const selectImports = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('csv_import')
    .leftJoin('job', (join) =>
      join
        .onRef('job.organization_id', '=', 'csv_import.organization_id')
        .onRef('job.id', '=', 'csv_import.job_id'),
    )
    .selectAll('csv_import')
    .select(['job.kind as job_kind', 'job.state as job_state', 'job.error_message as job_error'])
    .select(
      sql<string>`coalesce((
        select trim(creator.first_name || ' ' || creator.last_name) from account creator
        where creator.id = csv_import.created_by), '')`.as('creator'),
    );

const running: Partial<Record<JobKind, CsvImport['state']>> = {
  'csv.check': 'checking',
  'csv.import': 'importing',
  'csv.undo': 'undoing',
};

type Stated = Pick<CsvImportRow, 'job_kind' | 'job_state' | 'imported_at' | 'undone_at' | 'counts'>;

/** The job row has the state of a run; the import has what ended runs left. */
function stateOf(row: Stated): CsvImport['state'] {
  const { job_kind: kind, job_state: state } = row;
  if (state === 'queued' || state === 'running') return running[kind as JobKind] ?? 'checking';
  if (row.undone_at) return 'undone';
  if (row.imported_at) return 'imported';
  if (state === 'failed') return 'failed';
  return row.counts ? 'checked' : 'uploaded';
}

/** An import as the contract shows it. */
export const presentImport = (row: CsvImportRow): CsvImport => ({
  _id: row.id,
  noun: row.noun,
  fileName: row.file_name,
  bytes: row.bytes,
  rows: row.row_count,
  columns: row.columns,
  mapping: row.mapping,
  key: row.key,
  projectId: row.project_id,
  state: stateOf(row),
  counts: row.counts,
  undo: row.undo_counts,
  jobId: row.job_id,
  error: row.job_state === 'failed' ? row.job_error : null,
  createdAt: row.created_at.toISOString(),
  createdBy: row.creator,
});

/** Locks an import that is about to get another run, or to be deleted. @returns undefined for an unknown id */
export async function lockImport(
  trx: OrganizationTransaction,
  id: string,
): Promise<CsvImportRow | undefined> {
  const locked = await trx
    .selectFrom('csv_import')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(rowLock(trx, { name: 'import', id, mode: 'update' }))
    .executeTakeFirst();
  return locked && selectImports(trx).where('csv_import.id', '=', id).executeTakeFirst();
}

/** Deletes a locked import with its file, its report and its jobs; the records stay. */
export async function deleteImport(
  trx: OrganizationTransaction,
  { id, content_id: contentId }: Pick<CsvImportRow, 'id' | 'content_id'>,
): Promise<void> {
  await trx.deleteFrom('csv_import').where('id', '=', id).execute();
  await trx.deleteFrom('file_content').where('id', '=', contentId).execute();
}
