import { newDays } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** What the overview counts (decision 0036), with what the measure adds up. */
export const overviewMeasures = {
  vulnerabilities: 'none',
  critical: 'none',
  open: 'none',
  openSeverity: 'severities',
  openCategory: 'severities',
  openSevere: 'none',
  criticalOnMissionCritical: 'none',
  exposed: 'severities',
  unexposed: 'severities',
  threats: 'none',
  threatsHigh: 'none',
  threatsActive: 'none',
  assets: 'none',
  assetsAtRisk: 'costs',
  reports: 'bytes',
  // Of the cards above the lists, whose limits differ from those of the overview.
  severityCard: 'none',
  fixed: 'none',
  cvss: 'scores',
  riskCard: 'none',
  highLevel: 'none',
} as const satisfies Record<string, 'none' | 'severities' | 'costs' | 'bytes' | 'scores'>;

export type OverviewMeasure = keyof typeof overviewMeasures;

export interface OverviewTotal {
  /** Rows. */
  count: number;
  /** Of severities or scores (0-10 each), costs or bytes; 0 where the measure adds up nothing. */
  sum: number;
}

/** Totals by measure and bucket; what is missing is 0. */
export type OverviewTotals = ReadonlyMap<OverviewMeasure, ReadonlyMap<string, OverviewTotal>>;

interface TotalRow extends OverviewTotal {
  measure: OverviewMeasure;
  bucket: string;
}

/** Groups rows of one total each. */
export function totalsOf(rows: readonly TotalRow[]): OverviewTotals {
  const totals = new Map<OverviewMeasure, Map<string, OverviewTotal>>();
  for (const { measure, bucket, count, sum } of rows) {
    const buckets = totals.get(measure) ?? new Map<string, OverviewTotal>();
    buckets.set(bucket, { count, sum });
    totals.set(measure, buckets);
  }
  return totals;
}

/** What is read of a total, and from where, by form. */
const forms = {
  all: () => ({ bucket: sql`bucket`, isRead: sql`` }),
  snapshot: (endOf: string | undefined) => ({
    bucket: sql`case when measure in ('open', 'criticalOnMissionCritical') and bucket collate "C"
      < to_char(coalesce(${endOf ?? null}::date, (now() at time zone 'UTC')::date) - ${newDays}::integer, 'YYYY-MM-DD')
      then 'older' else bucket end`,
    isRead: sql`and measure not in ('exposed', 'unexposed', 'reports', 'severityCard', 'fixed', 'cvss', 'riskCard', 'highLevel')`,
  }),
};

/**
 * The totals of an organization, of now or of the end of a UTC day. One statement, so that entries that are moved
 * meanwhile count once.
 * @param options.endOf YYYY-MM-DD
 * @param options.form `snapshot`: as `OverviewSnapshot` keeps them; a few rows, where `all` has one for each day
 */
export async function readTotals(
  trx: OrganizationTransaction,
  { endOf, form = 'all' }: { endOf?: string; form?: keyof typeof forms } = {},
): Promise<OverviewTotals> {
  const { bucket, isRead } = forms[form](endOf);
  const later =
    endOf === undefined
      ? sql``
      : sql`
        union all
        select measure, ${bucket}, -count, -sum from overview_day
        where organization_id = current_organization() and day > ${endOf}::date ${isRead}`;
  const until = endOf === undefined ? sql`` : sql`and day <= ${endOf}::date`;
  const { rows } = await sql<TotalRow>`
    select measure, bucket, sum(count)::integer as count, sum(sum) as sum from (
      select measure, ${bucket} as bucket, count, sum from overview_total
      where organization_id = current_organization() ${isRead}
      union all
      select measure, ${bucket}, count, sum from overview_entry
      where organization_id = current_organization() ${until} ${isRead}
      ${later}
    ) entries
    group by measure, bucket
    having sum(count) <> 0 or sum(sum) <> 0`.execute(trx);
  return totalsOf(rows);
}

/** What adds up to the totals of measures of now: columns measure, bucket, count and sum of the source `t`. */
export const ledgerOf = (...measures: OverviewMeasure[]): RawBuilder<unknown> => {
  const isOf = sql`organization_id = current_organization() and measure = any (${measures}::text[])`;
  return sql`(
    select measure, bucket, count, sum from overview_total where ${isOf}
    union all
    select measure, bucket, count, sum from overview_entry where ${isOf}
  ) t`;
};

/** The totals of one measure of now, by bucket. */
export async function readTotalsOf(
  trx: OrganizationTransaction,
  measure: OverviewMeasure,
): Promise<ReadonlyMap<string, OverviewTotal>> {
  const { rows } = await sql<TotalRow>`
    select ${measure} as measure, bucket, sum(count)::integer as count, sum(sum) as sum from ${ledgerOf(measure)}
    group by bucket
    having sum(count) <> 0 or sum(sum) <> 0`.execute(trx);
  return totalsOf(rows).get(measure) ?? new Map<string, OverviewTotal>();
}

/** Rows of a bucket, or of all buckets of a measure that counts each row in one of them. */
export function countOf(totals: OverviewTotals, measure: OverviewMeasure, bucket?: string): number {
  const buckets = totals.get(measure);
  if (bucket !== undefined) return buckets?.get(bucket)?.count ?? 0;
  return [...(buckets?.values() ?? [])].reduce((all, { count }) => all + count, 0);
}

/** What changed a number on a day. */
export interface OverviewEntry extends OverviewTotal {
  /** UTC day, YYYY-MM-DD. */
  day: string;
  measure: OverviewMeasure;
  bucket: string;
  /** See decision 0036. */
  cause: string;
}

/**
 * The entries after the end of the UTC day `after` until the end of the UTC day `until`, added up by day, measure,
 * bucket and cause. They add up to the difference of the totals at the ends of the two days.
 */
export async function readEntries(
  trx: OrganizationTransaction,
  { after, until }: { after: string; until: string },
): Promise<OverviewEntry[]> {
  const within = sql`
    where organization_id = current_organization() and day > ${after}::date and day <= ${until}::date`;
  const { rows } = await sql<OverviewEntry>`
    select day, measure, bucket, cause, sum(count)::integer as count, sum(sum) as sum from (
      select day, measure, bucket, cause, count, sum from overview_day ${within}
      union all
      select day, measure, bucket, cause, count, sum from overview_entry ${within}
    ) entries
    group by day, measure, bucket, cause
    order by day, measure, bucket, cause`.execute(trx);
  return rows;
}
