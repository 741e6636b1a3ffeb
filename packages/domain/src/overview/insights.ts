import { formatCount, plural } from '../count.ts';
import type { OverviewCounts } from './counts.ts';

/** Lists that an alert or insight opens (spec 2, Filter links from the overview). */
export const overviewLinks = {
  critical: '/dashboard/vulnerabilities?severity=critical',
  criticalOpen: '/dashboard/vulnerabilities?severity=critical&status=open',
  open: '/dashboard/vulnerabilities?status=open',
  new: '/dashboard/vulnerabilities?status=new',
  highThreats: '/dashboard/threats?risk=high',
  threats: '/dashboard/threats',
  activeThreats: '/dashboard/threats?isActive=true',
  atRisk: '/dashboard/assets?status=at-risk',
} as const;
export type OverviewLink = (typeof overviewLinks)[keyof typeof overviewLinks];

export interface OverviewAlert {
  readonly code: string;
  readonly severity: 'critical' | 'high' | 'medium';
  readonly title: string;
  readonly description: string;
  /** Rows that it is about. */
  readonly count: number;
  readonly link: OverviewLink;
}

export interface OverviewInsight {
  readonly code: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly title: string;
  readonly description: string;
  /** As in '1-2 days' (spec 9, Overview). */
  readonly time: string;
  readonly count: number;
  readonly link: OverviewLink;
}

/** Limits of spec 9, Overview. */
const mostAlerts = 4;
const mostInsights = 6;
const manyOpen = 10;
const manyThreats = 5;

/** The first ones that apply. */
const shown = <T extends { readonly applies: boolean }>(
  all: readonly T[],
  most: number,
): Omit<T, 'applies'>[] =>
  all
    .filter(({ applies }) => applies)
    .slice(0, most)
    .map(({ applies: _applies, ...one }) => one);

/** At most four critical alerts, the most severe first. */
export function criticalAlerts(counts: OverviewCounts): OverviewAlert[] {
  const { critical, criticalOpen, highThreats, assetsAtRisk, newVulnerabilities } = counts;
  const alerts: (OverviewAlert & { readonly applies: boolean })[] = [
    {
      code: 'critical-vulnerabilities',
      severity: 'critical',
      title: 'Critical vulnerabilities',
      // The title, as the list of the link counts every status (spec 2, Filter links from the overview).
      description: `${plural(critical, 'vulnerability has', 'vulnerabilities have')} a severity of 9 or more; ${formatCount(criticalOpen)} of them ${criticalOpen === 1 ? 'is' : 'are'} open.`,
      count: critical,
      link: overviewLinks.critical,
      applies: criticalOpen > 0,
    },
    {
      code: 'assets-at-risk',
      severity: 'critical',
      title: 'Assets are at risk',
      description: `${plural(assetsAtRisk, 'asset has', 'assets have')} the health Critical or a risk score of 7 or more.`,
      count: assetsAtRisk,
      link: overviewLinks.atRisk,
      applies: assetsAtRisk > 0,
    },
    {
      code: 'high-threats',
      severity: 'high',
      title: 'Threats with a high risk level',
      description: `${plural(highThreats, 'threat has', 'threats have')} a risk level above 60.`,
      count: highThreats,
      link: overviewLinks.highThreats,
      applies: highThreats > 0,
    },
    {
      code: 'new-vulnerabilities',
      severity: 'medium',
      title: 'New vulnerabilities',
      description: `${plural(newVulnerabilities, 'vulnerability was', 'vulnerabilities were')} created in the last 30 days and ${newVulnerabilities === 1 ? 'is' : 'are'} still open.`,
      count: newVulnerabilities,
      link: overviewLinks.new,
      applies: newVulnerabilities > 0,
    },
  ];
  return shown(alerts, mostAlerts);
}

/** At most six suggestions, the most urgent first. */
export function actionableInsights(counts: OverviewCounts): OverviewInsight[] {
  const { criticalOpen, highThreats, assetsAtRisk, newVulnerabilities, openVulnerabilities, totalThreats } =
    counts;
  const insights: (OverviewInsight & { readonly applies: boolean })[] = [
    {
      code: 'fix-critical',
      priority: 'high',
      title: 'Fix the critical vulnerabilities',
      description: `${plural(criticalOpen, 'open vulnerability', 'open vulnerabilities')} with a severity of 9 or more.`,
      time: '2-4 hours',
      count: criticalOpen,
      link: overviewLinks.criticalOpen,
      applies: criticalOpen > 0,
    },
    {
      code: 'protect-assets',
      priority: 'high',
      title: 'Protect the assets at risk',
      description: `${plural(assetsAtRisk, 'asset')} with the health Critical or a risk score of 7 or more.`,
      time: '1-2 days',
      count: assetsAtRisk,
      link: overviewLinks.atRisk,
      applies: assetsAtRisk > 0,
    },
    {
      code: 'mitigate-threats',
      priority: 'high',
      title: 'Mitigate the threats with a high risk level',
      description: `${plural(highThreats, 'threat')} with a risk level above 60.`,
      time: '3-5 days',
      count: highThreats,
      link: overviewLinks.highThreats,
      applies: highThreats > 0,
    },
    {
      code: 'assess-new',
      priority: 'medium',
      title: 'Assess the new vulnerabilities',
      description: `${plural(newVulnerabilities, 'vulnerability', 'vulnerabilities')} of the last 30 days.`,
      time: '1-2 hours',
      count: newVulnerabilities,
      link: overviewLinks.new,
      applies: newVulnerabilities > 0,
    },
    {
      code: 'improve-process',
      priority: 'medium',
      title: 'Improve the remediation process',
      description: `${plural(openVulnerabilities, 'vulnerability is', 'vulnerabilities are')} open, more than ${manyOpen}.`,
      time: '1 week',
      count: openVulnerabilities,
      link: overviewLinks.open,
      applies: openVulnerabilities > manyOpen,
    },
    {
      code: 'update-policy',
      priority: 'low',
      title: 'Update the security policy',
      description: `${plural(totalThreats, 'threat is', 'threats are')} known, more than ${manyThreats}.`,
      time: '2-3 days',
      count: totalThreats,
      link: overviewLinks.threats,
      applies: totalThreats > manyThreats,
    },
  ];
  return shown(insights, mostInsights);
}
