import { mostHistoryDays } from '@riskboard/contract';
import type { ProjectRiskHistory } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, wasAssetAtRisk } from '@riskboard/db';
import { addDays, daysBetween } from '@riskboard/domain';
import { sql } from 'kysely';
import { checkPeriod, todayOf } from '../overview/period.ts';
import { requireProject } from './risk.ts';

/** Points of a reply. */
const mostPoints = 60;
const week = 7;
/** Assets with the highest scores that are read, so that the cost does not grow with the project. */
const mostAssets = 2000;

/** Days between two points: one, or whole weeks. */
function stepOf(days: number): number {
  return days <= mostPoints ? 1 : week * Math.ceil(days / (week * mostPoints));
}

const atRisk = sql.raw(
  wasAssetAtRisk({ score: 'score', threats: 'threat_count', vulnerabilities: 'vulnerability_count' }),
);

const own = sql`own as materialized (
  select id from asset where organization_id = current_organization() and project_id = `;

async function firstRecordedDay(trx: OrganizationTransaction, id: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    with ${own}${id} order by risk_score desc, id limit ${mostAssets})
    select (min(first.at) at time zone 'UTC')::date as day from own cross join lateral (
      select at from asset_score s where s.organization_id = current_organization() and s.asset_id = own.id
      order by at limit 1
    ) first`.execute(trx);
  return rows[0]?.day ?? null;
}

/**
 * The risk of the assets that a project has now, at the ends of UTC days: every change of a score is recorded, so that an
 * asset has its last record until the next one. Without `from` all recorded days are shown.
 * @throws Failure 404, 422
 */
export async function projectRiskHistory(
  trx: OrganizationTransaction,
  id: string,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<ProjectRiskHistory> {
  await requireProject(trx, id);
  const today = await todayOf(trx);
  const to = query.to ?? today;
  const from = query.from ?? addDays(to, -mostHistoryDays);
  checkPeriod({ from, to }, today);
  const first = await firstRecordedDay(trx, id);
  if (first === null || first > to) return { step: 1, points: [], firstRecordedDay: first };
  const days = daysBetween(from > first ? from : first, to) + 1;
  const step = stepOf(days);
  const count = Math.ceil(days / step);
  const { rows } = await sql<Omit<ProjectRiskHistory['points'][number], 'date'> & { date: string }>`
    with ${own}${id} order by risk_score desc, id limit ${mostAssets}),
    points as (
      select ${to}::date - n * ${step}::integer as day from generate_series(0, ${count}::integer - 1) n
    ), scores as (
      select day, last.*, last.at >= (day + 1 - ${step}::integer)::timestamp at time zone 'UTC' as is_recorded
      from points cross join own cross join lateral (
        select at, score, threat_count, vulnerability_count from asset_score s
        where s.organization_id = current_organization() and s.asset_id = own.id
          and s.at < (day + 1)::timestamp at time zone 'UTC'
        order by at desc limit 1
      ) last
    )
    select points.day as date,
      case when bool_or(is_recorded) then round(avg(score), 1)::float8 end as mean,
      case when bool_or(is_recorded) then max(score)::float8 end as highest,
      count(score)::integer as assets,
      count(*) filter (where ${atRisk})::integer as "assetsAtRisk"
    from points left join scores using (day) group by points.day order by points.day`.execute(trx);
  return { step, points: rows, firstRecordedDay: first };
}
