import type { OverviewMetrics } from '@riskboard/contract';
import {
  type OrganizationTransaction,
  type OverviewSnapshot,
  readRecomputedAt,
  readSnapshotBefore,
  readOverviewState,
} from '@riskboard/db';
import {
  actionableInsights,
  changeOf,
  criticalAlerts,
  addDays,
  mondayOf,
  overallRisk,
  overviewCounts,
  type OverviewCounts,
  overviewHeadline,
  overviewLinks,
  remediationRate,
  securityStatusOf,
  vulnerabilityFunnel,
} from '@riskboard/domain';

/** Days to the snapshot that a change compares with (contract, change). */
const comparedAfterDays = 30;

const explained = (metric: string) => `/dashboard/overview?explain=${metric}`;

/** The numbers that have a change, each with the page that shows its rows. */
const numbers = {
  totalThreats: { of: (counts: OverviewCounts) => counts.totalThreats, link: overviewLinks.threats },
  activeThreats: { of: (counts: OverviewCounts) => counts.activeThreats, link: overviewLinks.activeThreats },
  openVulnerabilities: {
    of: (counts: OverviewCounts) => counts.openVulnerabilities,
    link: overviewLinks.open,
  },
  newVulnerabilities: { of: (counts: OverviewCounts) => counts.newVulnerabilities, link: overviewLinks.new },
  assetsAtRisk: { of: (counts: OverviewCounts) => counts.assetsAtRisk, link: overviewLinks.atRisk },
  overallRisk: { of: (counts: OverviewCounts) => overallRisk(counts).score, link: explained('overallRisk') },
  remediationRate: { of: remediationRate, link: explained('remediationRate') },
} as const;

const countsOf = ({ totals, day }: OverviewSnapshot) => ({ day, counts: overviewCounts(totals, day) });

/** The numbers of the overview: of now, and their changes against recorded days. */
export async function overviewMetrics(trx: OrganizationTransaction): Promise<OverviewMetrics> {
  const { totals, today, asOf } = await readOverviewState(trx);
  const counts = overviewCounts(totals, today);
  const read = async (day: string) => {
    const snapshot = await readSnapshotBefore(trx, day);
    // The snapshot of today is no earlier number.
    return snapshot === undefined || snapshot.day >= today ? undefined : countsOf(snapshot);
  };
  const compared = await read(addDays(today, -comparedAfterDays));
  const monday = await read(mondayOf(addDays(today, -1)));
  const recomputedAt = await readRecomputedAt(trx);
  const metric = (name: keyof typeof numbers) => {
    const { of, link } = numbers[name];
    const value = of(counts);
    return { value, ...changeOf(value, compared && of(compared.counts)), link };
  };
  const { band, bar } = overallRisk(counts);
  return {
    totalThreats: { ...metric('totalThreats'), high: counts.highThreats },
    openVulnerabilities: { ...metric('openVulnerabilities'), critical: counts.criticalOpen },
    newVulnerabilities: metric('newVulnerabilities'),
    assetsAtRisk: metric('assetsAtRisk'),
    overallRisk: { ...metric('overallRisk'), band: band.label, bar },
    activeThreats: metric('activeThreats'),
    remediationRate: metric('remediationRate'),
    securityStatus: securityStatusOf(counts),
    headline: overviewHeadline(counts, today, monday),
    alerts: criticalAlerts(counts),
    insights: actionableInsights(counts),
    funnel: vulnerabilityFunnel(counts),
    comparedWith: compared?.day ?? null,
    asOf,
    recomputedAt: recomputedAt?.toISOString() ?? null,
  };
}
