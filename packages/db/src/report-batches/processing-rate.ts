import type { ProcessingRate } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { BatchRow } from './select-batches.ts';

/** The newest files that an estimate is based on. */
const newest = 200;

/**
 * How fast the last files were read and extracted: a line through their sizes and durations, and how many of them ran at
 * the same time.
 */
export async function readProcessingRate(trx: OrganizationTransaction): Promise<ProcessingRate> {
  const { rows } = await sql<ProcessingRate>`
    with parsed as (
      select p.id, p.file_id, p.started_at, p.finished_at, f.size
      from job p join report_file f on f.organization_id = p.organization_id and f.id = p.file_id
      where p.organization_id = current_organization() and p.kind = 'stix.parse' and p.state = 'succeeded'
        and p.started_at is not null
      order by p.created_at desc limit ${newest}
    ), run as (
      select file_id, size, started_at, finished_at from parsed
      union all
      select parsed.file_id, 0, x.started_at, x.finished_at
      from parsed join job x on x.organization_id = current_organization() and x.file_id = parsed.file_id
        and x.kind = 'stix.extract' and x.state = 'succeeded' and x.started_at is not null
    ), file as (
      select file_id, sum(size)::double precision as size,
        sum(extract(epoch from finished_at - started_at))::double precision as seconds
      from run group by file_id
    ), island as (
      select started_at, finished_at,
        sum(case when started_at <= before then 0 else 1 end) over (order by started_at, finished_at) as n
      from (
        select started_at, finished_at,
          max(finished_at) over (order by started_at, finished_at rows between unbounded preceding and 1 preceding) as before
        from run
      ) r
    ), busy as (
      select sum(extract(epoch from finished - started))::double precision as seconds from (
        select min(started_at) as started, max(finished_at) as finished from island group by n
      ) i
    )
    select count(*)::integer as files, coalesce(sum(size), 0) as bytes, coalesce(sum(seconds), 0) as seconds,
      coalesce((select seconds from busy), 0) as "busySeconds",
      regr_slope(seconds, size) as "secondsPerByte", regr_intercept(seconds, size) as "secondsPerFile"
    from file`.execute(trx);
  return (
    rows[0] ?? { files: 0, bytes: 0, seconds: 0, busySeconds: 0, secondsPerByte: null, secondsPerFile: null }
  );
}

/** The attempts of more files are not read for each reply. */
const mostFiles = 5000;

/** Seconds in which at least one file of a batch was read or extracted; undefined for a batch of too many files. */
export async function processingSeconds(
  trx: OrganizationTransaction,
  { id, files }: Pick<BatchRow, 'id' | 'files'>,
): Promise<number | undefined> {
  if (files > mostFiles) return undefined;
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(sum(extract(epoch from ended_at - greatest(started_at, before))), 0)::double precision as seconds
    from (
      select a.started_at, a.ended_at, max(a.ended_at) over (
        order by a.started_at, a.ended_at rows between unbounded preceding and 1 preceding) as before
      from batch_file f
      join batch_attempt a on a.organization_id = f.organization_id and a.batch_file_id = f.id
      where f.organization_id = current_organization() and f.batch_id = ${id}
    ) run
    where ended_at > coalesce(before, started_at)`.execute(trx);
  return rows[0]?.seconds;
}
