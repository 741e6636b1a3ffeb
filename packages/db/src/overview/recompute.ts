import { sql } from 'kysely';
import { lockAssets } from '../locks/asset-locks.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { lockOverview } from '../locks/overview-lock.ts';
import { joiningByHash } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { setOverviewCause } from './cause.ts';
import { moveEntries } from './entries.ts';
import { writeSnapshots } from './snapshots.ts';

/** A number that differed from the recount, and by how much. */
export interface RepairedTotal {
  measure: string;
  bucket: string;
  /** What was added to the count. */
  count: number;
  /** What was added to the sum. */
  sum: number;
}

export interface Recomputation {
  /** Numbers that were compared. */
  checked: number;
  repaired: RepairedTotal[];
  /** Vulnerabilities whose counts of related assets were repaired. */
  recounted: number;
  /** Entries that were moved into the rows of their day. */
  moved: number;
  snapshots: number;
}

/**
 * Compares the numbers of the overview with a recount, repairs them, moves the entries, and writes snapshots and weeks.
 * Other transactions go on writing meanwhile. It may be repeated: a second run finds nothing to repair.
 */
export async function recomputeOverview(trx: OrganizationTransaction): Promise<Recomputation> {
  const recounted = await repairAssetCounts(trx);
  await lockOverview(trx);
  const { checked, repaired } = await repairTotals(trx);
  const moved = await moveEntries(trx);
  const snapshots = await writeSnapshots(trx);
  await writeWeeks(trx);
  await sql`
    insert into overview_state (organization_id, recomputed_at) values (current_organization(), clock_timestamp())
    on conflict (organization_id) do update set recomputed_at = excluded.recomputed_at`.execute(trx);
  return { checked, repaired, recounted, moved, snapshots };
}

/**
 * Vulnerabilities whose counts of related assets differ from their relations. Needs `joiningByHash`: the planner expects few rows
 * in each organization (decision 0020), and comparing each vulnerability with each relation takes minutes.
 */
export const miscounted = sql`
  select v.id, coalesce(r.assets, 0) as assets, coalesce(r.critical, 0) as critical
  from vulnerability v
  left join (
    select related.vulnerability_id, count(*)::integer as assets,
      (count(*) filter (where a.criticality >= 4))::integer as critical
    from vulnerability_asset related
    join asset a on a.organization_id = related.organization_id and a.id = related.asset_id
    where related.organization_id = current_organization()
    group by related.vulnerability_id
  ) r on r.vulnerability_id = v.id
  where v.organization_id = current_organization()
    and (v.asset_count, v.critical_asset_count) is distinct from (coalesce(r.assets, 0), coalesce(r.critical, 0))`;

/** The locks are taken only when there is something to repair: relations are counted in the transaction of their change. */
async function repairAssetCounts(trx: OrganizationTransaction): Promise<number> {
  const found = await joiningByHash(trx, () => sql`${miscounted} limit 1`.execute(trx));
  if (found.rows.length === 0) return 0;
  await lockAssets(trx);
  await lockAssertions(trx);
  await setOverviewCause(trx, 'repaired');
  const { numAffectedRows = 0n } = await joiningByHash(trx, () =>
    sql`
      update vulnerability v set asset_count = counted.assets, critical_asset_count = counted.critical
      from (${miscounted}) counted
      where v.organization_id = current_organization() and v.id = counted.id`.execute(trx),
  );
  return Number(numAffectedRows);
}

/**
 * Rows and entries are read by one statement and thus from one snapshot of the database (overview_recount is stable, so
 * it reads from the snapshot of its caller). An entry is written in the transaction of its change: the snapshot has both
 * or neither, however many transactions write meanwhile.
 */
async function repairTotals(
  trx: OrganizationTransaction,
): Promise<Pick<Recomputation, 'checked' | 'repaired'>> {
  const { rows } = await sql<{ checked: number; repaired: RepairedTotal[] }>`
    with counted as materialized (
      select measure, bucket, count, sum from overview_recount()
    ), known as materialized (
      select measure, bucket, sum(count)::integer as count, sum(sum) as sum from (
        select measure, bucket, count, sum from overview_total where organization_id = current_organization()
        union all
        select measure, bucket, count, sum from overview_entry where organization_id = current_organization()
      ) entries
      group by measure, bucket
    ), compared as materialized (
      select measure, bucket, coalesce(counted.count, 0) - coalesce(known.count, 0) as count,
        coalesce(counted.sum, 0) - coalesce(known.sum, 0) as sum
      from counted full join known using (measure, bucket)
    ), repaired as (
      insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
      select current_organization(), (now() at time zone 'UTC')::date, measure, bucket, 'repaired', count, sum
      from compared where count <> 0 or sum <> 0
      returning measure, bucket, count, sum
    )
    select (select count(*)::integer from compared) as checked,
      (select coalesce(jsonb_agg(to_jsonb(repaired) order by measure, bucket), '[]') from repaired) as repaired`.execute(
    trx,
  );
  return rows[0] ?? { checked: 0, repaired: [] };
}

/**
 * Days from discovery, or creation without one, to the fix, of the vulnerabilities that are fixed, by week of the fix: the day
 * on which each counts as closed in the exposure trend too (decision 0092). A fix of the day before counts as one of the same
 * day, because the two days may be of different time zones; an earlier one is left out, because one of the days is wrong.
 */
const writeWeeks = async (trx: OrganizationTransaction): Promise<void> => {
  await sql`delete from overview_week where organization_id = current_organization()`.execute(trx);
  await sql`
    insert into overview_week (organization_id, week, fixed, p50, p95)
    select current_organization(), date_trunc('week', fixed::timestamp)::date, count(*),
      percentile_cont(0.5) within group (order by greatest(days, 0)),
      percentile_cont(0.95) within group (order by greatest(days, 0))
    from (
      select closed.fixed,
        closed.fixed - coalesce(v.discovery_date, (v.created_at at time zone 'UTC')::date) as days
      from vulnerability v
      cross join lateral (
        select closing_day(v.status, v.fix_date, v.status_changed_at, v.created_at, v.closed_on) as fixed
      ) closed
      where v.organization_id = current_organization() and v.status = 'fixed'
    ) one
    where days >= -1
    group by 2`.execute(trx);
};
