import type { LedgerFlow } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { OverviewMeasure } from './totals.ts';

/**
 * What changed the buckets of some measures after the end of the UTC day `after` until the end of `until`, added up by
 * cause. Without `until` also what was recorded before the clock was set back.
 */
export async function readFlows(
  trx: OrganizationTransaction,
  { after, until, measures }: { after: string; until: string | null; measures: readonly OverviewMeasure[] },
): Promise<LedgerFlow[]> {
  const within = sql`
    where organization_id = current_organization() and day > ${after}::date
      and (${until}::date is null or day <= ${until}::date) and measure = any (${measures}::text[])`;
  const { rows } = await sql<LedgerFlow>`
    select measure, bucket, cause, sum(count)::integer as count, sum(sum) as sum from (
      select measure, bucket, cause, count, sum from overview_day ${within}
      union all
      select measure, bucket, cause, count, sum from overview_entry ${within}
    ) entries
    group by measure, bucket, cause
    having sum(count) <> 0 or sum(sum) <> 0
    order by measure, bucket, cause`.execute(trx);
  return rows;
}

/** The first UTC day with an entry; null before the first change. */
export async function readRecordedSince(trx: OrganizationTransaction): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select least(
      (select min(day) from overview_day where organization_id = current_organization()),
      (select min(day) from overview_entry where organization_id = current_organization())) as day`.execute(
    trx,
  );
  return rows[0]?.day ?? null;
}

/** What happened to open vulnerabilities in a week. */
export interface RecordedWeek {
  /** Its Monday. */
  week: string;
  found: number;
  /** Fixed, mitigated, accepted or deleted, less those reopened or restored. */
  resolved: number;
  /** Fixed, by the day on which they were closed, with the days from discovery to that day; null without one. */
  fixed: number;
  p50: number | null;
  p95: number | null;
}

/**
 * The weeks (Monday to Sunday, UTC) from a Monday to that of the day `until`, those without a change too. Entries of an
 * invented history have no other cause, so that their sign decides.
 */
export async function readWeeks(
  trx: OrganizationTransaction,
  { monday, until }: { monday: string; until: string },
): Promise<RecordedWeek[]> {
  const within = sql`
    where organization_id = current_organization() and measure = 'open'
      and day >= ${monday}::date and day < date_trunc('week', ${until}::timestamp)::date + 7`;
  const { rows } = await sql<RecordedWeek>`
    with entries as (
      select day, cause, count from overview_day ${within}
      union all
      select day, cause, count from overview_entry ${within}
    ), counted as (
      select date_trunc('week', day::timestamp)::date as week,
        sum(case when cause = 'found' then count when cause = 'example' then greatest(count, 0) else 0 end) as found,
        sum(case when cause in ('fixed', 'mitigated', 'accepted', 'deleted', 'reopened', 'restored') then -count
          when cause = 'example' then greatest(-count, 0) else 0 end) as resolved
      from entries group by 1
    )
    select shown.week::date as week, coalesce(counted.found, 0)::integer as found,
      coalesce(counted.resolved, 0)::integer as resolved, coalesce(fixes.fixed, 0) as fixed, fixes.p50, fixes.p95
    from generate_series(${monday}::timestamp, ${until}::timestamp, interval '7 days') shown (week)
    left join counted on counted.week = shown.week::date
    left join overview_week fixes on fixes.organization_id = current_organization() and fixes.week = shown.week::date
    order by shown.week`.execute(trx);
  return rows;
}
