import { type JobState, reportFileList } from '@riskboard/contract';
import { type Selectable, sql } from 'kysely';
import type { ReportFileTable } from '../tables.ts';
import { timeRange } from './entity-source.ts';
import { isLike } from './like.ts';
import type { ListSource } from './source.ts';

/** The size as the list shows it, for the search (spec 9: Bytes, KB, MB, GB at factor 1024, two decimals). */
const shownSize = sql<string>`case
  when r.size < 1024 then r.size || ' Bytes'
  when r.size < 1048576 then trim_scale(round(r.size / 1024.0, 2)) || ' KB'
  when r.size < 1073741824 then trim_scale(round(r.size / 1048576.0, 2)) || ' MB'
  else trim_scale(round(r.size / 1073741824.0, 2)) || ' GB' end`;

/** A count matches as the list shows it, '1,699', and without its commas. */
const countLike = (column: string, pattern: string) => sql<boolean>`(
  ${sql.ref(column)}::text like ${pattern} or to_char(${sql.ref(column)}, 'FM999,999,999,999') like ${pattern})`;

/**
 * SQL: objects and warnings of the parse, and records that the newest extraction of each kind skipped since the content was
 * first read. An extraction may be older than the upload: one that is run again reads the newer content.
 */
export const issuesOfReportFile = `coalesce(report_file.failed, 0)
  + coalesce((select sum((warning ->> 'count')::integer)::integer from jsonb_array_elements(report_file.warnings) warning), 0)
  + coalesce((select sum(newest.skipped)::integer from (
    select distinct on (kind.key) (kind.value ->> 'skipped')::integer as skipped
    from job x cross join jsonb_each(x.result -> 'byKind') kind
    where x.organization_id = report_file.organization_id and x.file_id = report_file.id
      and x.kind = 'stix.extract' and x.state = 'succeeded' and x.finished_at >= (
        select min(p.finished_at) from job p
        where p.organization_id = report_file.organization_id and p.file_id = report_file.id
          and p.kind = 'stix.parse' and p.state = 'succeeded' and p.payload ->> 'contentId' = report_file.content_id::text)
    order by kind.key, x.finished_at desc) newest), 0)`;

/**
 * SQL: the state of the newest parse (`job`), null without one. A cancelled parse of bytes that have been read before changes
 * nothing: the file has the results of that reading (decision 44).
 */
export const parseStateOfReportFile = `case when job.state = 'cancelled' and report_file.object_count is not null
  then 'succeeded' else job.state end`;

/** Types of objects of a report that a list names. */
const typesShown = 100;

/**
 * SQL: the histogram of a report's objects as lists have it, in which '…' counts those of all but the most frequent types.
 * Only a long one is read for this: its size is known without decompressing it.
 */
const shownObjects = `case when pg_column_size(report_file.objects) < 2000 then report_file.objects else (
    select jsonb_object_agg(name, count) from (
      select case when rank <= ${typesShown} then key else '…' end as name, sum(value::bigint) as count
      from (
        select key, value, row_number() over (order by value::bigint desc, key) as rank
        from jsonb_each_text(report_file.objects)
      ) types
      group by 1
    ) named) end`;

/** Columns that the list shows or an action on it reads. */
const columns = [
  'organization_id',
  'id',
  'name',
  'name_key',
  'stix_version',
  'media',
  'uploaded_at',
  'size',
  'sha256',
  'object_count',
  'vulnerability_count',
  'threat_count',
  'vulnerability_records',
  'threat_records',
  'warnings',
  'incomplete',
] as const;

/** A row of the list. */
export type ReportFileRow = Pick<Selectable<ReportFileTable>, (typeof columns)[number] | 'objects'> & {
  parse_state: JobState | null;
  parse_error: string | null;
  issues: number;
};

/** @param ofJob SQL of an expression of the newest parse (`job`), null without one */
const columnsWith = (ofJob: (expression: string) => string): string => `
      ${columns.map((column) => `report_file.${column}`).join(', ')}, ${shownObjects} as objects,
      coalesce(${ofJob(parseStateOfReportFile)}, 'queued') as parse_state, ${ofJob('job.error_message')} as parse_error,
      ${issuesOfReportFile} as issues`;

const from = `(select ${columnsWith((expression) => expression)} from report_file left join job
      on job.organization_id = report_file.organization_id and job.id = report_file.parse_job_id) r`;

/** Looks jobs up by their keys: the planner may join those of the whole organization. */
const shown = `(select ${columnsWith(
  (expression) => `(
        select ${expression} from job
        where job.organization_id = report_file.organization_id and job.id = report_file.parse_job_id)`,
)}
    from report_file) r`;

/** Uploaded reports with the state of their newest parse (contract, reports). */
export const reportFileSource: ListSource<typeof reportFileList.fields> = {
  fields: reportFileList.fields,
  from,
  shown,
  columns: {
    originalFilename: { sql: 'r.name_key', type: 'text', required: true, isIndexed: true },
    stixVersion: { sql: 'r.stix_version', type: 'text', isIndexed: true },
    parseState: { sql: 'r.parse_state', type: 'text', required: true },
    vulnerabilityCount: { sql: 'r.vulnerability_count', type: 'integer', required: true, isIndexed: true },
    threatCount: { sql: 'r.threat_count', type: 'integer', required: true, isIndexed: true },
    size: { sql: 'r.size', type: 'bigint', required: true, isIndexed: true },
    uploadDate: { sql: 'r.uploaded_at', type: 'timestamptz', required: true },
  },
  cells: { originalFilename: 'r.name' },
  createdAt: 'r.uploaded_at',
  newestBy: 'r.uploaded_at',
  // File name, size and counts, not the date (spec 5, Lists).
  search: (pattern) => sql<boolean>`(
    ${isLike(sql`r.name`, pattern)} or ${shownSize} ilike ${pattern}
    or ${countLike('r.vulnerability_count', pattern)} or ${countLike('r.threat_count', pattern)})`,
  extra: {
    /** Reports with one of these names, in any case: before an upload the page checks which exist. */
    name: (...names) => sql`r.name_key in (select lower(n) from unnest(${names}::text[]) n)`,
    ...timeRange('createdAt', 'r.uploaded_at'),
  },
};
