/** Spec 3, Enumerations. */
export const threatTypes = {
  1: 'Malware',
  2: 'Phishing',
  3: 'DDoS',
  4: 'Insider Threat',
  5: 'Data Breach',
  6: 'Social Engineering',
} as const;

/** Risk level from likelihood and impact, each 1 to 5: 4 to 100 (contract, Scales). */
export const derivedRiskLevel = (likelihood: number | null, impact: number | null): number | null =>
  likelihood === null || impact === null ? null : 4 * likelihood * impact;

/** Risk score of a threat, 0 to 10 (spec 9: capped at 10). */
export const threatRiskScore = (riskLevel: number): number => Math.min(10, riskLevel / 10);
