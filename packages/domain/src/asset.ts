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

/** Risk score of an asset, 0 to 10, one decimal (spec 9, Assets); a missing level counts as 0. */
export function assetRiskScore(asset: AssetRisk): number {
  const levels = (asset.confidentiality ?? 0) + (asset.integrity ?? 0) + (asset.availability ?? 0);
  const sum = levels + 0.5 * asset.threats + 0.7 * asset.vulnerabilities + 2 * (asset.criticality ?? 0);
  return Math.min(10, Math.round((sum / 3) * 10) / 10);
}

/** Derived health (spec 4). */
export function assetHealth({
  threats,
  vulnerabilities,
}: Pick<AssetRisk, 'threats' | 'vulnerabilities'>): AssetHealth {
  if (threats === 0 && vulnerabilities === 0) return 'Healthy';
  return vulnerabilities > 3 || threats > 5 ? 'Critical' : 'Warning';
}

/** Whether an asset is at risk: health Critical, or a risk score (0-10) from 7 (contract, Meanings). */
export const isAtRisk = ({ health, riskScore }: { health: AssetHealth; riskScore: number }): boolean =>
  health === 'Critical' || riskScore >= 7;
