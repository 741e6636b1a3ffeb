import { jobList } from '@riskboard/contract';
import { sql } from 'kysely';
import { isShownJob, shownJob } from '../jobs/jobs.ts';
import { reportedByAlert } from './entity-source.ts';
import { isAnyLike } from './like.ts';
import type { ListSource } from './source.ts';

const columns = (fileName: string): string => `${shownJob}, ${fileName} as file_name,
      extract(epoch from job.finished_at - job.started_at)::double precision as took`;

const from = `(select ${columns('coalesce(report_file.name, csv_import.file_name)')}
    from job left join report_file
      on report_file.organization_id = job.organization_id and report_file.id = job.file_id
    left join csv_import
      on csv_import.organization_id = job.organization_id and csv_import.id = job.csv_import_id
    where ${isShownJob}) r`;

/** Looks files and imports up by their keys: the planner may join those of the whole organization. */
const shown = `(select ${columns(`coalesce(
        (select name from report_file where organization_id = job.organization_id and id = job.file_id),
        (select file_name from csv_import where organization_id = job.organization_id and id = job.csv_import_id))`)}
    from job where ${isShownJob}) r`;

/** Background jobs with the name of their file (contract, jobs), without the unattended ones (jobs/jobs.ts). */
export const jobSource: ListSource<typeof jobList.fields> = {
  fields: jobList.fields,
  from,
  shown,
  columns: {
    fileName: { sql: `coalesce(r.file_name, '')`, type: 'text' },
    kind: { sql: 'r.kind', type: 'text', required: true, isIndexed: true },
    state: { sql: 'r.state', type: 'text', required: true, isIndexed: true },
    result: { sql: 'r.result', type: 'text' },
    error: { sql: `coalesce(r.error_message, '')`, type: 'text' },
    took: { sql: 'r.took', type: 'double precision', isIndexed: true, isSparse: true },
    attempt: { sql: 'r.attempt', type: 'integer', required: true, isIndexed: true },
    createdAt: { sql: 'r.created_at', type: 'timestamptz', required: true },
    startedAt: { sql: 'r.started_at', type: 'timestamptz', isIndexed: true },
    finishedAt: { sql: 'r.finished_at', type: 'timestamptz', isIndexed: true },
  },
  search: (pattern) => isAnyLike(['file_name', 'error_message'], pattern),
  newestBy: 'r.created_at',
  extra: {
    alert: reportedByAlert,
    fileId: (fileId) => sql`r.file_id = ${fileId}::uuid`,
  },
};
