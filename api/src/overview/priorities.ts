import { mostPriorities } from '@riskboard/contract';
import type { OverviewPriorities } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, readTotals } from '@riskboard/db';
import {
  addDays,
  type Finding,
  formatCount,
  newDays,
  overallRisk,
  overallRiskWeights,
  plural,
  priorities,
  overviewCounts,
  severityBands,
  vulnerabilityCategories,
  wayOutOfRisk,
} from '@riskboard/domain';
import {
  assetSize,
  assetsNearSafety,
  categorySize,
  criticalSize,
  type GroupSize,
  riskiestAssets,
  type SingleRecord,
  singleThreats,
  singleVulnerabilities,
} from './candidates.ts';
import { todayOf } from './period.ts';

type Counts = ReturnType<typeof overviewCounts>;

const weights = overallRiskWeights;
const resolved = 'Fixed, mitigated and accepted ones no longer count.';

interface Group extends GroupSize {
  code: string;
  /** After 'Resolve the 5 '. */
  noun: [one: string, many: string];
  link: string;
}

const groupFinding = ({ code, noun, link, open, new: isNew }: Group): Finding => {
  const points = `Each takes ${weights.openVulnerabilities} points as an open one`;
  const added =
    isNew === 0 ? '' : ` and ${weights.newVulnerabilities} more while it is new (${formatCount(isNew)})`;
  return {
    code,
    title: `Resolve the ${plural(open, ...noun)}`,
    description: `${points}${added}. ${resolved}`,
    link,
    effect: { openVulnerabilities: open, newVulnerabilities: isNew },
  };
};

/** The largest effect first. */
const byEffect = (one: GroupSize, other: GroupSize): number =>
  weights.openVulnerabilities * (other.open - one.open) + weights.newVulnerabilities * (other.new - one.new);

async function categoryGroups(trx: OrganizationTransaction, since: string): Promise<Group[]> {
  const groups: Group[] = [];
  for (const [id, name] of Object.entries(vulnerabilityCategories)) {
    const size = await categorySize(trx, since, Number(id));
    if (size === undefined) continue;
    groups.push({
      ...size,
      code: `category.${id}`,
      noun: [`open vulnerability of the category ${name}`, `open vulnerabilities of the category ${name}`],
      link: `/dashboard/vulnerabilities?status=open&categoryId=${id}`,
    });
  }
  return groups.toSorted(byEffect).slice(0, 1);
}

async function assetGroups(trx: OrganizationTransaction, since: string): Promise<Group[]> {
  const groups: Group[] = [];
  for (const { id, name } of await riskiestAssets(trx)) {
    const size = await assetSize(trx, since, id);
    if (size === undefined) continue;
    groups.push({
      ...size,
      code: `asset-vulnerabilities.${id}`,
      noun: [`open vulnerability of ${name}`, `open vulnerabilities of ${name}`],
      link: `/dashboard/vulnerabilities?status=open&assetId=${id}`,
    });
  }
  return groups.toSorted(byEffect).slice(0, 1);
}

/**
 * Groups of at least two vulnerabilities. A group that is the same as an earlier one is left out: all new ones, or all
 * open ones.
 */
function distinct(groups: readonly Group[], counts: Counts): Group[] {
  const seen = new Set<string>();
  return groups.filter(({ open, new: isNew }) => {
    const isAllNew = open === isNew && isNew === counts.newVulnerabilities;
    const same = open === counts.openVulnerabilities ? 'open' : isAllNew ? 'new' : '';
    if (open < 2 || seen.has(same)) return false;
    if (same !== '') seen.add(same);
    return true;
  });
}

async function groupFindings(
  trx: OrganizationTransaction,
  counts: Counts,
  since: string,
): Promise<Finding[]> {
  const [critical] = severityBands;
  const criticals = await criticalSize(trx, since, critical.from);
  const isNew = counts.newVulnerabilities;
  const groups: Group[] = [
    {
      open: isNew,
      new: isNew,
      code: 'new',
      noun: ['new vulnerability', 'new vulnerabilities'],
      link: '/dashboard/vulnerabilities?status=new',
    },
    ...(criticals === undefined
      ? []
      : [
          {
            ...criticals,
            code: 'critical',
            noun: ['critical open vulnerability', 'critical open vulnerabilities'] as [string, string],
            link: '/dashboard/vulnerabilities?severity=critical&status=open',
          },
        ]),
    ...(await assetGroups(trx, since)),
    ...(await categoryGroups(trx, since)),
  ];
  return distinct(groups, counts).map(groupFinding);
}

const relieved = (assets: number): string =>
  `Without its relations ${plural(assets, 'asset')} would no longer be at risk (${weights.assetsAtRisk} points each): an asset counts every related record, whether it is resolved or not.`;

function vulnerabilityFinding({ id, name, open, new: isNew, assets }: SingleRecord): Finding {
  const points = weights.openVulnerabilities + weights.newVulnerabilities * isNew;
  const fixed = `It counts ${points} points until it is fixed, mitigated or accepted.`;
  return {
    code: `vulnerability.${id}`,
    title: `${open === 0 ? 'End the relations of' : 'Resolve'} ${name}${open > 0 && assets > 0 ? ' and end its relations' : ''}`,
    description: [open > 0 ? fixed : '', assets > 0 ? relieved(assets) : ''].filter(Boolean).join(' '),
    link: `/dashboard/vulnerabilities/${id}`,
    effect: { openVulnerabilities: open, newVulnerabilities: isNew, assetsAtRisk: assets },
  };
}

function threatFinding({ id, name, assets }: SingleRecord): Finding {
  const counted = `Each threat counts ${weights.totalThreats} points until it is deleted, whether it is active or not.`;
  return {
    code: `threat.${id}`,
    title: `Remove the threat ${name}`,
    description: assets > 0 ? `${counted} ${relieved(assets)}` : counted,
    link: `/dashboard/threats/${id}`,
    effect: { totalThreats: 1, assetsAtRisk: assets },
  };
}

function assetGroup({ assetsAtRisk }: Counts): Finding[] {
  if (assetsAtRisk < 2) return [];
  const group: Finding = {
    code: 'assets-at-risk',
    title: `Take ${plural(assetsAtRisk, 'asset')} out of risk`,
    description: `Each counts ${weights.assetsAtRisk} points while it has more than 3 vulnerabilities, more than 5 threats or a risk score of at least 7. Resolved ones count too, until their relations end.`,
    link: '/dashboard/assets?status=at-risk',
    effect: { assetsAtRisk },
  };
  return [group];
}

async function singleAssets(trx: OrganizationTransaction): Promise<Finding[]> {
  return (await assetsNearSafety(trx)).map(({ id, name, ...asset }) => ({
    code: `asset.${id}`,
    title: `Take ${name} out of risk`,
    description: wayOutOfRisk(asset),
    link: `/dashboard/assets/${id}`,
    effect: { assetsAtRisk: 1 },
  }));
}

/**
 * The changes that would lower the overall risk score most, each recomputed without its finding. Resolving vulnerabilities
 * does not change the risk of their assets, which counts relations of every status. Candidates are bounded, so that the
 * cost does not grow with the organization. Needs one snapshot for all its statements.
 */
export async function overviewPriorities(trx: OrganizationTransaction): Promise<OverviewPriorities> {
  const today = await todayOf(trx);
  const since = addDays(today, -newDays);
  const counts = overviewCounts(await readTotals(trx, { form: 'snapshot' }), today);
  const groups = [...(await groupFindings(trx, counts, since)), ...assetGroup(counts)];
  const single = [
    ...(await singleVulnerabilities(trx, since)).map(vulnerabilityFinding),
    ...(await singleThreats(trx)).map(threatFinding),
    ...(await singleAssets(trx)),
  ];
  return {
    score: overallRisk(counts).score,
    items: priorities(counts, [...groups, ...single], mostPriorities),
    findings: priorities(counts, single, mostPriorities),
  };
}
