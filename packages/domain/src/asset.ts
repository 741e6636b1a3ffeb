import { lazily } from './lazily.ts';

/** Spec 3, Enumerations. */
export const assetTypes = {
  1: 'Hardware',
  2: 'Software',
  3: 'Network',
  4: 'Data',
  5: 'Personnel',
  6: 'Service',
} as const;
export const assetHealths = ['Healthy', 'Warning', 'Critical', 'Unknown'] as const;
export type AssetHealth = (typeof assetHealths)[number];
export const confidentialityLevels = {
  1: 'Public',
  2: 'Internal',
  3: 'Confidential',
  4: 'Restricted',
  5: 'Top Secret',
} as const;
/** Integrity and availability. */
export const protectionLevels = { 1: 'Low', 2: 'Medium', 3: 'High', 4: 'Critical' } as const;

interface AssetRisk {
  /** 1-5. */
  criticality: number | null;
  /** 1-5. */
  confidentiality: number | null;
  /** 1-4. */
  integrity: number | null;
  /** 1-4. */
  availability: number | null;
  threats: number;
  vulnerabilities: number;
}

/** Figures of the risk of an asset (spec 4 and 9; contract, Meanings), also for conditions in SQL. */
export const assetRiskFigures = {
  /** What each adds to the sum of which the score is a third. */
  perThreat: 0.5,
  perVulnerability: 0.7,
  perCriticality: 2,
  /** More threats or vulnerabilities make the health Critical. */
  mostThreats: 5,
  mostVulnerabilities: 3,
  /** An asset is at risk from this score. */
  atRiskFrom: 7,
} as const;

/** Risk score of an asset, 0 to 10, one decimal (spec 9, Assets); a missing level counts as 0. */
export function assetRiskScore(asset: AssetRisk): number {
  const levels = (asset.confidentiality ?? 0) + (asset.integrity ?? 0) + (asset.availability ?? 0);
  const { perThreat, perVulnerability, perCriticality } = assetRiskFigures;
  const related = perThreat * asset.threats + perVulnerability * asset.vulnerabilities;
  const sum = levels + related + perCriticality * (asset.criticality ?? 0);
  return Math.min(10, Math.round((sum / 3) * 10) / 10);
}

/** Derived health (spec 4). */
export function assetHealth({
  threats,
  vulnerabilities,
}: Pick<AssetRisk, 'threats' | 'vulnerabilities'>): AssetHealth {
  if (threats === 0 && vulnerabilities === 0) return 'Healthy';
  const { mostThreats, mostVulnerabilities } = assetRiskFigures;
  return vulnerabilities > mostVulnerabilities || threats > mostThreats ? 'Critical' : 'Warning';
}

/** Whether an asset is at risk: health Critical, or a risk score (0-10) from 7 (contract, Meanings). */
export const isAtRisk = ({ health, riskScore }: { health: AssetHealth; riskScore: number }): boolean =>
  health === 'Critical' || riskScore >= assetRiskFigures.atRiskFrom;

/** Levels of criticality, confidentiality and integrity from this one are high (spec 9, Asset metrics). */
export const highLevel = 4;

/** What a criticality of 1 to 5 means for the business, highest first (spec 9, Criticality text). */
const businessCriticalities = [
  { from: 4, label: 'Mission Critical', impact: 'Critical' },
  { from: 3, label: 'Business Critical', impact: 'High' },
  { from: 1, label: 'Operational', impact: 'Moderate' },
] as const;

/** Text and business impact of a criticality, 1 to 5; undefined when it is not set. */
export const businessCriticality = (
  criticality: number | null,
): Omit<(typeof businessCriticalities)[number], 'from'> | undefined =>
  criticality === null
    ? undefined
    : (businessCriticalities.find(({ from }) => criticality >= from) ?? businessCriticalities[2]);

const priorities = [
  { from: 4, priority: 'Critical' },
  { from: 3, priority: 'High' },
  { from: 2, priority: 'Medium' },
] as const;

/** Priority of an asset by its criticality, 1 to 5 (spec 9); undefined when it is not set. */
export const assetPriority = (
  criticality: number | null,
): (typeof priorities)[number]['priority'] | 'Low' | undefined =>
  criticality === null ? undefined : (priorities.find(({ from }) => criticality >= from)?.priority ?? 'Low');

/** Ranges of a cost in USD, with the amount that is stored for each (spec 3, Cost ranges). */
export const costRanges = [
  { value: 5000, label: 'Minimal', range: 'under $10K' },
  { value: 30_000, label: 'Low', range: '$10K-50K' },
  { value: 150_000, label: 'Medium', range: '$50K-250K' },
  { value: 625_000, label: 'High', range: '$250K-1M' },
  { value: 2_000_000, label: 'Very High', range: 'over $1M' },
] as const;

const millions = lazily(
  () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const thousands = lazily(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }));
const amounts = lazily(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }));

/**
 * A cost in USD, 0 or more, as pages show it: '$2.0M' from 1,000,000 with one decimal, '$30K' from 1,000 with at most
 * one, else '$999.5' (spec 9, Cost display). An amount below a limit is never rounded up to it.
 */
export function costText(amount: number): string {
  if (amount >= 1_000_000) return `$${millions().format(amount / 1_000_000)}M`;
  if (amount >= 1000) return `$${thousands().format(Math.min(amount / 1000, 999.9))}K`;
  return `$${amounts().format(Math.min(amount, 999.99))}`;
}
