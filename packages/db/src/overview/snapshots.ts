import { overviewFormulaVersion } from '@riskboard/domain';
import { sql } from 'kysely';
import { type OrganizationTransaction } from '../with-organization.ts';
import { type OverviewMeasure, type OverviewTotals, readTotals, totalsOf } from './totals.ts';

/** Totals at the end of a recorded UTC day. */
export interface OverviewSnapshot {
  /** YYYY-MM-DD */
  day: string;
  /**
   * Without `exposed`, `unexposed`, `reports` and the measures of the cards. Vulnerabilities that were created more than 30 days before are in the bucket
   * `older` of `open` and `criticalOnMissionCritical`.
   */
  totals: OverviewTotals;
  formulaVersion: string;
}

type StoredTotals = Record<string, Record<string, [count: number, sum: number]>>;

const toStored = (totals: OverviewTotals): StoredTotals =>
  Object.fromEntries(
    [...totals].map(([measure, buckets]) => [
      measure,
      Object.fromEntries([...buckets].map(([bucket, { count, sum }]) => [bucket, [count, sum]])),
    ]),
  );

const fromStored = (stored: StoredTotals): OverviewTotals =>
  totalsOf(
    Object.entries(stored).flatMap(([measure, buckets]) =>
      Object.entries(buckets).map(([bucket, [count, sum]]) => ({
        measure: measure as OverviewMeasure,
        bucket,
        count,
        sum,
      })),
    ),
  );

/**
 * Writes the snapshots of today and of each day whose snapshot was taken before the day was over: a transaction that
 * began before midnight may commit an hour later. They are derived from the entries, so a snapshot is the total at the
 * end of its day, also when it is written days later. A day without a run stays without a snapshot. After the clock was
 * set back, today is an earlier day, which is written again. @returns the number of written snapshots
 */
export async function writeSnapshots(trx: OrganizationTransaction): Promise<number> {
  const { rows: days } = await sql<{ day: string }>`
    select (now() at time zone 'UTC')::date as day
    union
    select day from overview_snapshot
    where organization_id = current_organization()
      and taken_at < (day + 1)::timestamp at time zone 'UTC' + interval '1 hour'`.execute(trx);
  for (const { day } of days) {
    const totals = toStored(await readTotals(trx, { endOf: day, form: 'snapshot' }));
    await sql`
      insert into overview_snapshot (organization_id, day, totals, formula_version, taken_at)
      values (current_organization(), ${day}, ${JSON.stringify(totals)}, ${overviewFormulaVersion}, now())
      on conflict (organization_id, day) do update set totals = excluded.totals,
        formula_version = excluded.formula_version, taken_at = excluded.taken_at`.execute(trx);
  }
  return days.length;
}

const select = (trx: OrganizationTransaction) =>
  trx.selectFrom('overview_snapshot').select(['day', 'totals', 'formula_version']);

const present = ({
  day,
  totals,
  formula_version: formulaVersion,
}: {
  day: string;
  totals: StoredTotals;
  formula_version: string;
}): OverviewSnapshot => ({ day, totals: fromStored(totals), formulaVersion });

/** The snapshots of recorded days, oldest first; both days included. */
export async function readSnapshots(
  trx: OrganizationTransaction,
  { from, until }: { from?: string | undefined; until?: string | undefined } = {},
): Promise<OverviewSnapshot[]> {
  let query = select(trx);
  if (from !== undefined) query = query.where('day', '>=', from);
  if (until !== undefined) query = query.where('day', '<=', until);
  return (await query.orderBy('day').execute()).map(present);
}

/** The newest snapshot that is at most of this UTC day, else the oldest one (contract, change). */
export async function readSnapshotBefore(
  trx: OrganizationTransaction,
  day: string,
): Promise<OverviewSnapshot | undefined> {
  const found =
    (await select(trx).where('day', '<=', day).orderBy('day', 'desc').limit(1).executeTakeFirst()) ??
    (await select(trx).orderBy('day').limit(1).executeTakeFirst());
  return found && present(found);
}

/** End of the last recomputation; undefined before the first. */
export async function readRecomputedAt(trx: OrganizationTransaction): Promise<Date | undefined> {
  const state = await trx.selectFrom('overview_state').select('recomputed_at').executeTakeFirst();
  return state?.recomputed_at;
}
