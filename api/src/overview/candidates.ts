import { type OrganizationTransaction, wouldAssetBeAtRisk } from '@riskboard/db';
import { assetRiskFigures, type RatedAsset } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';

/** A larger group of vulnerabilities is no first step; counting ends there, so that the cost does not grow. */
const mostInGroup = 5000;
/** Assets with the highest scores, whose vulnerabilities are counted. */
const mostAssets = 10;
/** Assets read, at most, to find those that one relation less would take out of risk. */
const mostNear = 5000;
/** Single records of a kind. */
const mostSingle = 5;

/** Open vulnerabilities of a group. */
export interface GroupSize {
  open: number;
  new: number;
}

/** A record whose absence changes the overall risk score. */
export interface SingleRecord {
  id: string;
  name: string;
  open: number;
  new: number;
  /** Assets that would no longer be at risk without their relation to it. */
  assets: number;
}

const ofOrganization = sql`organization_id = current_organization()`;
const isNewSince = (since: string) => sql<boolean>`created_at >= ${since}::timestamp at time zone 'UTC'`;

/** Counts a query for `status` and `created_at` of vulnerabilities; undefined for more than `mostInGroup`. */
async function sizeOf(
  trx: OrganizationTransaction,
  since: string,
  vulnerabilities: RawBuilder<unknown>,
): Promise<GroupSize | undefined> {
  const { rows } = await sql<GroupSize & { all: number }>`
    select count(*)::integer as all, count(*) filter (where status = 'open')::integer as open,
      count(*) filter (where status = 'open' and ${isNewSince(since)})::integer as new
    from (${vulnerabilities} limit ${mostInGroup + 1}) limited`.execute(trx);
  const [row] = rows;
  return row === undefined || row.all > mostInGroup ? undefined : { open: row.open, new: row.new };
}

/** Open vulnerabilities with a severity of at least `from`. */
export const criticalSize = (trx: OrganizationTransaction, since: string, from: number) =>
  sizeOf(
    trx,
    since,
    sql`select status, created_at from vulnerability where ${ofOrganization} and severity >= ${from}::numeric`,
  );

/** Open vulnerabilities of a category. */
export const categorySize = (trx: OrganizationTransaction, since: string, category: number) =>
  sizeOf(
    trx,
    since,
    sql`select status, created_at from vulnerability
      where ${ofOrganization} and status = 'open' and category_id = ${category}`,
  );

/** Open vulnerabilities of an asset. */
export const assetSize = (trx: OrganizationTransaction, since: string, asset: string) =>
  sizeOf(
    trx,
    since,
    sql`select v.status, v.created_at from vulnerability_asset r
      join vulnerability v on v.organization_id = r.organization_id and v.id = r.vulnerability_id
      where r.organization_id = current_organization() and r.asset_id = ${asset}`,
  );

/** The assets with the highest risk scores that have vulnerabilities. */
export async function riskiestAssets(trx: OrganizationTransaction): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from (
      select id, name, risk_score, vulnerability_count from asset
      where ${ofOrganization} order by risk_score desc, id desc limit ${mostNear}
    ) riskiest
    where vulnerability_count > 0
    order by risk_score desc, vulnerability_count desc, id limit ${mostAssets}`.execute(trx);
  return rows;
}

const isAtRisk = (threats: string, vulnerabilities: string) =>
  sql.raw(wouldAssetBeAtRisk({ threats, vulnerabilities }));

const atRiskFrom = sql.lit(assetRiskFigures.atRiskFrom);
/** The most by which one relation less can lower a score, which has one decimal. */
const step = sql.lit(Math.ceil((10 * assetRiskFigures.perVulnerability) / 3) / 10);

/**
 * Assets at risk that one related vulnerability or threat less would take out of risk: by their score, or by their counts,
 * which make the health Critical.
 */
const near = sql`near as materialized (
  select id, not ${isAtRisk('threat_count', '(vulnerability_count - 1)')} as by_vulnerability,
    not ${isAtRisk('(threat_count - 1)', 'vulnerability_count')} as by_threat
  from (
    (select * from asset where ${ofOrganization} and risk_score between ${atRiskFrom} and ${atRiskFrom} + ${step} limit ${mostNear})
    union
    (select * from asset where ${ofOrganization} and health = 'Critical' limit ${mostNear})
  ) risky
)`;

/**
 * The rows of the CTE `relieved`, which have a count of assets, and other records, which take no asset out of risk. Each candidate
 * carries its count: the planner expects one row of `relieved` and would compare each row with each in a join.
 */
const candidatesWith = (others: RawBuilder<unknown>) => sql`candidates as (
  select id, max(assets) as assets from (
    select id, assets from relieved union all select id, 0 from (${others}) others
  ) found group by id
)`;

/** The vulnerabilities without which the score would be lowest: also closed ones, which assets still count. */
export async function singleVulnerabilities(
  trx: OrganizationTransaction,
  since: string,
): Promise<SingleRecord[]> {
  const { rows } = await sql<SingleRecord>`
    with ${near}, relieved as (
      select r.vulnerability_id as id, count(*)::integer as assets
      from near join vulnerability_asset r on r.organization_id = current_organization() and r.asset_id = near.id
      where near.by_vulnerability group by r.vulnerability_id
    ), ${candidatesWith(sql`
      (select id from (
        select id, status, severity from vulnerability
        where ${ofOrganization} and ${isNewSince(since)} order by created_at desc, id desc limit ${mostNear}
      ) latest where status = 'open' order by severity desc nulls last, id desc limit ${mostSingle})
      union all (select id from (
        select id, status, severity from vulnerability
        where ${ofOrganization} order by severity desc nulls last, id desc limit ${mostNear}
      ) severest where status = 'open' order by severity desc nulls last, id desc limit ${mostSingle})
      union all (select id from vulnerability where ${ofOrganization} and status = 'open' limit ${mostSingle})`)}
    , effects as (
      select v.id, v.name, v.severity, (v.status = 'open')::integer as open,
        (v.status = 'open' and ${isNewSince(since)})::integer as new, candidates.assets
      from candidates join vulnerability v on v.organization_id = current_organization() and v.id = candidates.id
    )
    select id, name, open, new, assets from effects
    order by 3 * open + 2 * new + 1.5 * assets desc, severity desc nulls last, id desc limit ${mostSingle}`.execute(
    trx,
  );
  return rows;
}

/** The threats without which the score would be lowest. */
export async function singleThreats(trx: OrganizationTransaction): Promise<SingleRecord[]> {
  const { rows } = await sql<SingleRecord>`
    with ${near}, relieved as (
      select r.threat_id as id, count(*)::integer as assets
      from near join threat_asset r on r.organization_id = current_organization() and r.asset_id = near.id
      where near.by_threat group by r.threat_id
    ), ${candidatesWith(sql`
      (select id from threat where ${ofOrganization} order by risk_level desc nulls last, id desc limit ${mostSingle})`)}
    select t.id, t.name, 0 as open, 0 as new, candidates.assets
    from candidates join threat t on t.organization_id = current_organization() and t.id = candidates.id
    order by assets desc, t.risk_level desc nulls last, t.id desc limit ${mostSingle}`.execute(trx);
  return rows;
}

/** Assets at risk with the lowest scores, which the least takes out of risk. */
export async function assetsNearSafety(
  trx: OrganizationTransaction,
): Promise<(RatedAsset & { id: string; name: string })[]> {
  const { rows } = await sql<RatedAsset & { id: string; name: string }>`
    select id, name, criticality, confidentiality_level as confidentiality, integrity_level as integrity,
      availability_level as availability, threat_count as threats, vulnerability_count as vulnerabilities
    from (
      (select * from asset where ${ofOrganization} and risk_score >= ${atRiskFrom} order by risk_score, id limit ${mostSingle})
      union
      (select * from asset where ${ofOrganization} and health = 'Critical' order by id limit ${mostSingle})
    ) risky
    order by risk_score, id limit ${mostSingle}`.execute(trx);
  return rows;
}
