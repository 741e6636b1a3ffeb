import { lockAssets, type OrganizationTransaction, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { countEachOrganization } from './each-organization.ts';
import type { RoundDeps } from './steps.ts';

/** Assets whose scores one transaction records. It holds the lock of the organization's assets meanwhile. */
const batchSize = 20_000;

/** Daily records are kept this many days; records of a change are kept with their asset. */
const keptDays = 400;

/**
 * Records the score of every asset once in a UTC day of the database's clock. Several workers may do it at once: each
 * batch continues where the last one ended. A day without a worker has no record, and no record is made later. After the
 * clock was set back nothing is recorded until the last recorded day is over. A worker that stops ends after a batch.
 * @returns the number of recorded scores
 */
export async function recordDailyScores(
  deps: Pick<Deps, 'database'> & RoundDeps,
  size = batchSize,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from organization o
    where not exists (
      select from asset_score_day d where d.organization_id = o.organization_id
        and (d.day > ${today} or (d.day = ${today} and d.finished_at is not null)))
    order by id`.execute(deps.database.system);
  return countEachOrganization(
    deps,
    { rows, failure: 'daily scores of assets not recorded' },
    async ({ id }) => {
      let recorded = 0;
      for (;;) {
        const batch = await withOrganization(deps.database, id, (trx) => recordBatch(trx, size));
        recorded += batch.recorded;
        if (batch.finished || deps.stopping?.aborted) return recorded;
      }
    },
  );
}

const today = sql`(now() at time zone 'UTC')::date`;

interface Batch {
  recorded: number;
  finished: boolean;
}

async function recordBatch(trx: OrganizationTransaction, size: number): Promise<Batch> {
  await lockAssets(trx);
  const day = await startedDay(trx);
  if (day === undefined) return { recorded: 0, finished: true };
  const { rows } = await sql<{ recorded: number; last_id: string | null }>`
    with batch as materialized (
      select id, risk_score, threat_count, vulnerability_count from asset
      where organization_id = current_organization() and id > ${day.lastId}
      order by id limit ${size}
    ), recorded as (
      insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause)
      select current_organization(), id, clock_timestamp(), risk_score, threat_count, vulnerability_count, 'daily' from batch
    ), outdated as (
      delete from asset_score old using batch
      where old.organization_id = current_organization() and old.asset_id = batch.id
        and old.at < now() - make_interval(days => ${keptDays}) and old.cause = 'daily'
    )
    select count(*)::int as recorded, (array_agg(id order by id desc))[1] as last_id from batch`.execute(trx);
  const { recorded, last_id: lastId } = rows[0] ?? { recorded: 0, last_id: null };
  const finished = recorded < size;
  await sql`
    update asset_score_day set last_id = coalesce(${lastId}, last_id), finished_at = case when ${finished} then now() end
    where organization_id = current_organization() and day = ${day.day}`.execute(trx);
  if (finished)
    await sql`
      delete from asset_score_day
      where organization_id = current_organization() and day < ${today} - ${keptDays}::int`.execute(trx);
  return { recorded, finished };
}

interface StartedDay {
  day: string;
  /** Assets up to this id are recorded. */
  lastId: string;
}

/** @returns undefined when the day, or a later one, is recorded */
async function startedDay(trx: OrganizationTransaction): Promise<StartedDay | undefined> {
  await sql`
    insert into asset_score_day (organization_id, day)
    select current_organization(), ${today}
    where not exists (
      select from asset_score_day where organization_id = current_organization() and day > ${today})
    on conflict do nothing`.execute(trx);
  const { rows } = await sql<StartedDay>`
    select day, coalesce(last_id, '00000000-0000-0000-0000-000000000000') as "lastId" from asset_score_day
    where organization_id = current_organization() and day = ${today} and finished_at is null
      and not exists (
        select from asset_score_day later where later.organization_id = current_organization() and later.day > ${today})`.execute(
    trx,
  );
  return rows[0];
}
