import { mostPriorities } from '@riskboard/contract';
import type { OverviewPriorities } from '@riskboard/contract/schemas';
import { countOf, type OrganizationTransaction, type OverviewTotals, readTotals } from '@riskboard/db';
import {
  assetHealth,
  assetRiskScore,
  type Finding,
  firstNewDay,
  isAtRisk,
  overallRisk,
  plural,
  priorities,
  severityBands,
  vulnerabilityCategories,
} from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { riskCountsAt, todayOf } from './ledger.ts';

/** Vulnerabilities of a group that are counted, the most severe first: the cost does not grow with the organization. */
const mostInGroup = 20_000;
/** Assets whose vulnerabilities are counted: those with the highest risk scores. */
const mostAssets = 50;
/** Assets at risk that are recalculated: those with the lowest scores. */
const mostAtRisk = 200;

/** Open vulnerabilities that could be fixed together. */
interface Group {
  /** Unique among the groups of a reply. */
  code: string;
  title: (count: string) => string;
  description: string;
  link: string;
  condition: RawBuilder<boolean>;
}

const bands = severityBands.map(({ value, label, from }, at): Group => {
  const above = severityBands[at - 1]?.from;
  return {
    code: `severity-${value}`,
    title: (count) => `Fix the ${count} with the severity ${label}`,
    description: `Their severity is ${from} or more${above === undefined ? '' : ` and below ${above}`}.`,
    link: `/dashboard/vulnerabilities?severity=${value}&status=open`,
    condition:
      above === undefined
        ? sql<boolean>`severity >= ${from}::numeric`
        : sql<boolean>`severity >= ${from}::numeric and severity < ${above}::numeric`,
  };
});

const categoryGroup = ([id, name]: [string, string]): Group => ({
  code: `category-${id}`,
  title: (count) => `Fix the ${count} of the category ${name}`,
  description: `They are open and have the category ${name}.`,
  link: `/dashboard/vulnerabilities?categoryId=${id}&status=open`,
  condition: sql<boolean>`category_id = ${id}::integer`,
});

async function assetGroups(trx: OrganizationTransaction): Promise<Group[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from asset
    where organization_id = current_organization() and vulnerability_count > 0
    order by risk_score desc, id limit ${mostAssets}`.execute(trx);
  return rows.map(({ id, name }) => ({
    code: `asset-${id}`,
    title: (count) => `Fix the ${count} on ${name}`,
    description: `They are open and related to the asset ${name}.`,
    link: `/dashboard/vulnerabilities?assetId=${id}&status=open`,
    condition: sql<boolean>`id in (
      select vulnerability_id from vulnerability_asset
      where organization_id = current_organization() and asset_id = ${id})`,
  }));
}

interface Counted {
  count: number;
  new: number;
  /** Of small groups: two groups with the same vulnerabilities are one finding. */
  ids: string;
}

/** Identifiers that are compared at most. */
const mostCompared = 200;

async function countGroup(
  trx: OrganizationTransaction,
  { condition }: Group,
  since: string,
): Promise<Counted> {
  const { rows } = await sql<Counted>`
    with open as materialized (
      select id, created_at from vulnerability
      where organization_id = current_organization() and status = 'open' and ${condition}
      order by severity desc nulls last, id desc limit ${mostInGroup}
    )
    select count(*)::integer as count,
      count(*) filter (where created_at >= ${since}::timestamp at time zone 'UTC')::integer as new,
      case when count(*) <= ${mostCompared} then coalesce(string_agg(id::text, ',' order by id), '') else '' end as ids
    from open`.execute(trx);
  return rows[0] ?? { count: 0, new: 0, ids: '' };
}

async function groupFindings(
  trx: OrganizationTransaction,
  totals: OverviewTotals,
  today: string,
): Promise<Finding[]> {
  const categories = Object.entries(vulnerabilityCategories).filter(
    ([id]) => countOf(totals, 'openCategory', id) > 0,
  );
  const groups = [
    ...bands.filter(({ code }) => countOf(totals, 'openSeverity', code.replace('severity-', '')) > 0),
    ...(await assetGroups(trx)),
    ...categories.map(categoryGroup),
  ];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const group of groups) {
    const { count, new: isNew, ids } = await countGroup(trx, group, firstNewDay(today));
    if (count === 0 || (ids !== '' && seen.has(ids))) continue;
    seen.add(ids);
    const amount = plural(count, 'open vulnerability', 'open vulnerabilities');
    findings.push({
      code: group.code,
      title: group.title(amount),
      description: isNew === 0 ? group.description : `${group.description} ${isNew} of them count as new.`,
      link: group.link,
      effect: { openVulnerabilities: count, newVulnerabilities: isNew },
    });
  }
  return findings;
}

interface RiskyAsset {
  criticality: number | null;
  confidentiality: number | null;
  integrity: number | null;
  availability: number | null;
  threats: number;
  open: number;
}

/** Assets that would not be at risk without their relations to vulnerabilities that are no longer open. */
async function closedRelations(trx: OrganizationTransaction): Promise<Finding[]> {
  const { rows } = await sql<RiskyAsset>`
    select a.criticality, a.confidentiality_level as confidentiality, a.integrity_level as integrity,
      a.availability_level as availability, a.threat_count as threats,
      (select count(*)::integer from vulnerability_asset l
        join vulnerability v on v.organization_id = l.organization_id and v.id = l.vulnerability_id
        where l.organization_id = a.organization_id and l.asset_id = a.id and v.status = 'open') as open
    from asset a
    where a.organization_id = current_organization() and a.vulnerability_count > 0
      and (a.health = 'Critical' or a.risk_score >= 7)
    order by a.risk_score, a.id limit ${mostAtRisk}`.execute(trx);
  const relieved = rows.filter((asset) => {
    const counts = { threats: asset.threats, vulnerabilities: asset.open };
    return !isAtRisk({ health: assetHealth(counts), riskScore: assetRiskScore({ ...asset, ...counts }) });
  }).length;
  return [
    {
      code: 'closed-relations',
      title: `Remove closed vulnerabilities from ${plural(relieved, 'asset')} at risk`,
      description:
        'The risk score of an asset counts every related vulnerability, whatever its status. Without those that are no longer open these assets are not at risk.',
      link: '/dashboard/assets?status=at-risk',
      effect: { assetsAtRisk: relieved },
    },
  ];
}

function inactiveThreats(totals: OverviewTotals): Finding[] {
  const inactive = countOf(totals, 'threats') - countOf(totals, 'threatsActive');
  return [
    {
      code: 'inactive-threats',
      title: `Delete ${plural(inactive, 'inactive threat')}`,
      description: 'The score counts every threat, also those that are marked as inactive.',
      link: '/dashboard/threats?isActive=false',
      effect: { totalThreats: inactive },
    },
  ];
}

/** The changes that would lower the overall risk score most, each recomputed without its finding. */
export async function overviewPriorities(trx: OrganizationTransaction): Promise<OverviewPriorities> {
  const today = await todayOf(trx);
  const totals = await readTotals(trx);
  const counts = riskCountsAt(totals, today);
  const findings = [
    ...(await groupFindings(trx, totals, today)),
    ...(await closedRelations(trx)),
    ...inactiveThreats(totals),
  ];
  return { score: overallRisk(counts).score, items: priorities(counts, findings, mostPriorities) };
}
