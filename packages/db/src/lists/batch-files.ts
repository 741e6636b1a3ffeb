import { batchFileList, waitingPhases } from '@riskboard/contract';
import { sql } from 'kysely';
import { isAnyLike } from './like.ts';
import type { ListSource } from './source.ts';

const columns = (newestParse: string): string => `f.*, case when f.file_id is null then 'refused'
      when ${newestParse} is null then 'deleted'
      when ${newestParse} <> f.parse_job_id then 'replaced' else 'current' end as report,
    f.state in ('queued', 'running') and exists (
      select from job where job.organization_id = f.organization_id and job.id in (f.parse_job_id, f.extract_job_id)
        and job.state = 'queued' and job.phase = '${waitingPhases.batch}') as held`;

const from = `(
    select ${columns('report_file.parse_job_id')} from batch_file f left join report_file
      on report_file.organization_id = f.organization_id and report_file.id = f.file_id
  ) r`;

/** Looks reports up by their keys, as of jobs. */
const shown = `(
    select ${columns(`(
      select parse_job_id from report_file where organization_id = f.organization_id and id = f.file_id)`)}
    from batch_file f
  ) r`;

/** Files of batches with their results; `report`: whether the report is still the one that the batch uploaded. */
export const batchFileSource: ListSource<typeof batchFileList.fields> = {
  fields: batchFileList.fields,
  from,
  shown,
  columns: {
    name: { sql: 'r.name_key', type: 'text', required: true, isIndexed: true },
    state: { sql: 'r.state', type: 'text', required: true, isIndexed: true },
    issues: { sql: 'r.issues', type: 'integer', required: true, isIndexed: true },
    message: { sql: `coalesce(r.message, '')`, type: 'text' },
    size: { sql: 'r.size', type: 'bigint', required: true, isIndexed: true },
    objects: { sql: 'r.objects', type: 'integer', required: true, isIndexed: true },
    created: { sql: 'r.created', type: 'integer', required: true, isIndexed: true },
    updated: { sql: 'r.updated', type: 'integer', required: true, isIndexed: true },
    unchanged: { sql: 'r.unchanged', type: 'integer', required: true, isIndexed: true },
    skipped: { sql: 'r.skipped', type: 'integer', required: true, isIndexed: true },
    report: { sql: 'r.report', type: 'text', required: true },
    receivedAt: { sql: 'r.received_at', type: 'timestamptz', required: true },
    startedAt: { sql: 'r.started_at', type: 'timestamptz', isIndexed: true },
    endedAt: { sql: 'r.ended_at', type: 'timestamptz', isIndexed: true },
  },
  cells: { name: 'r.name' },
  search: (pattern) => isAnyLike(['name', 'message'], pattern),
  newestBy: 'r.received_at',
  scope: 'batchId',
  extra: {
    batchId: (id) => sql`r.batch_id = ${id}::uuid`,
  },
};
