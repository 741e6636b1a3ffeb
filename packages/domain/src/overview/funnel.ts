import type { OverviewCounts } from './counts.ts';

const open = '/dashboard/vulnerabilities?status=open';
const severe = `${open}&severity=critical&severity=high`;

/** All open vulnerabilities, then parts of them; `link` opens the list with the count of `of`. */
const steps = [
  { step: 'open', label: 'Open vulnerabilities', of: 'openVulnerabilities', link: open },
  { step: 'severe', label: 'Critical or high', of: 'severeOpen', link: severe },
  { step: 'on-assets', label: 'On assets', of: 'severeOnAssets', link: `${severe}&onAssets=any` },
  {
    step: 'on-mission-critical-assets',
    label: 'On mission-critical assets',
    of: 'severeOnMissionCritical',
    link: `${severe}&onAssets=mission-critical`,
  },
] as const;

export interface FunnelStep {
  readonly step: (typeof steps)[number]['step'];
  readonly label: string;
  readonly count: number;
  readonly link: string;
}

/** The open vulnerabilities, and those of them that matter most; each step is a part of the one before it. */
export const vulnerabilityFunnel = (counts: OverviewCounts): FunnelStep[] =>
  steps.map(({ of, ...step }) => ({ ...step, count: counts[of] }));
