/** Lowest score of each band, highest first; scores of 0 to 10 (contract, Severity bands everywhere). */
export const severityBands = [
  { value: 'critical', label: 'Critical', from: 9 },
  { value: 'high', label: 'High', from: 7 },
  { value: 'medium', label: 'Medium', from: 4 },
  { value: 'low', label: 'Low', from: 0 },
] as const;

/** Band of a severity or CVSS score, 0 to 10. */
export const severityBandOf = (score: number): (typeof severityBands)[number] =>
  severityBands.find(({ from }) => score >= from) ?? severityBands[3];

/** The metric cards count severities above `critical`, and those above `high` up to it (spec 9, Vulnerabilities). */
export const severityCardBounds = { critical: 8, high: 6 } as const;

/** Risk level 0 to 100: above 60 high, above 30 medium (contract, Risk badge). */
export const riskBands = [
  { value: 'high', label: 'High', above: 60 },
  { value: 'medium', label: 'Medium', above: 30 },
  { value: 'low', label: 'Low', above: -1 },
] as const;
export type RiskBand = (typeof riskBands)[number]['value'];

/** Band of a threat's risk level, 0 to 100. */
export const riskBandOf = (level: number): (typeof riskBands)[number] =>
  riskBands.find(({ above }) => level > above) ?? riskBands[2];

/** The metric cards count risk levels above `critical`, and those above `high` up to it (spec 9, Threat metrics cards). */
export const riskLevelCardBounds = { critical: 70, high: 40 } as const;

/** Lowest risk level (0 to 100) of each severity that a graph shows for a threat, highest first (spec 9, Threats). */
export const threatSeverityBands = [
  { value: 'critical', label: 'Critical', from: 80 },
  { value: 'high', label: 'High', from: 60 },
  { value: 'medium', label: 'Medium', from: 40 },
  { value: 'low', label: 'Low', from: 0 },
] as const;

/** Lowest risk score (0 to 10) of each band of an asset, highest first (spec 9, Assets). */
export const assetRiskBands = [
  { value: 'high', label: 'High Risk', from: 7 },
  { value: 'medium', label: 'Medium Risk', from: 3 },
  { value: 'low', label: 'Low Risk', from: 0 },
] as const;

/** Scale of motivation and capability (contract, Scales). */
export const threeLevels = { 1: 'Low', 2: 'Medium', 3: 'High' } as const;
/** Scale of likelihood, impact and criticality (spec 3, Enumerations). */
export const fiveLevels = { 1: 'Very Low', 2: 'Low', 3: 'Medium', 4: 'High', 5: 'Very High' } as const;
