import { costText } from '@riskboard/domain';
import { formatNumber, roundToHundredths } from '../../../lib/format/format.ts';
import { notAvailable } from '@riskboard/contract';
import type { Explanation } from '../queries.ts';

type Metric = Explanation['metric'];

/** Titles of the numbers, known before their explanation is loaded. */
export const metricTitles: Readonly<Record<Metric, string>> = {
  overallRisk: 'Overall Risk Score',
  totalThreats: 'Total Threats',
  activeThreats: 'Active Threats',
  openVulnerabilities: 'Open Vulnerabilities',
  newVulnerabilities: 'New Vulnerabilities',
  assetsAtRisk: 'Assets at Risk',
  remediationRate: 'Remediation Rate',
  securityStatus: 'Security Status',
  estimatedImpact: 'Estimated Impact',
  riskExposure: 'Risk Exposure',
};

/** Highest value of a number that has one. */
const units: Partial<Record<Metric, string>> = { overallRisk: 'of 100', riskExposure: 'of 10' };
export const unitOf = (metric: Metric): string => units[metric] ?? '';

/** '42', '66.7%', '$1.2M', 'Good'. */
export function valueText(metric: Metric, value: Explanation['value']): string {
  if (value === null) return notAvailable;
  if (typeof value === 'string') return `${value.charAt(0).toUpperCase()}${value.slice(1)}`;
  if (metric === 'remediationRate') return `${formatNumber(Math.round(value * 10) / 10)}%`;
  if (metric === 'estimatedImpact') return costText(value);
  return formatNumber(roundToHundredths(value));
}
