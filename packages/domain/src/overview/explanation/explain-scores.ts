import { estimatedImpact } from '../counts.ts';
import { exposureLevel, meanSeverity, openSeverities } from '../exposure.ts';
import { overviewLinks } from '../insights.ts';
import {
  overallRisk,
  overallRiskBands,
  overallRiskWeights,
  type RiskCount,
  riskCounts,
  remediationRate,
} from '../overall-risk.ts';
import { securityStatusLimits, securityStatusOf } from '../security-status.ts';
import { calculated, type Explained, inputOf, type State } from './inputs.ts';

export function explainRisk({ counts }: State): Explained {
  const { score, rounding, cap, band } = overallRisk(counts);
  return {
    label: 'Overall Risk Score',
    value: score,
    formula:
      '2 × threats + 3 × open vulnerabilities + 2 × new vulnerabilities + 1.5 × assets at risk, rounded, at most 100. A new vulnerability is open too and counts in both.',
    inputs: [
      ...riskCounts.map((count: RiskCount) => ({
        ...inputOf(counts, count),
        weight: overallRiskWeights[count],
        adds: overallRiskWeights[count] * counts[count],
      })),
      ...calculated('Rounding', rounding),
      ...calculated('Limit of 100', cap),
    ],
    bands: overallRiskBands.map(({ label, from }, at) => {
      const above = overallRiskBands[at - 1]?.from;
      const rule = above === undefined ? `${from} or more` : `${from} to ${above - 1}`;
      return { label, rule, current: label === band.label };
    }),
  };
}

export function explainRate({ counts }: State): Explained {
  return {
    label: 'Remediation Rate',
    value: remediationRate(counts),
    formula: 'New vulnerabilities ÷ (open + new vulnerabilities), in percent; 100 without any.',
    inputs: [inputOf(counts, 'newVulnerabilities'), inputOf(counts, 'openVulnerabilities')],
  };
}

const statusLabels = {
  critical: 'Critical',
  poor: 'Poor',
  fair: 'Fair',
  good: 'Good',
  excellent: 'Excellent',
} as const;

export function explainStatus({ counts }: State): Explained {
  const status = securityStatusOf(counts);
  const rules = [
    ...securityStatusLimits.map(({ status: value, criticalOpen, highThreats, assetsAtRisk }) => ({
      value,
      rule: `More than ${criticalOpen} open critical vulnerabilities, ${highThreats} high threats or ${assetsAtRisk} assets at risk`,
    })),
    { value: 'good', rule: 'New vulnerabilities or threats exist' },
    { value: 'excellent', rule: 'No new vulnerabilities and no threats' },
  ] as const;
  return {
    label: 'Security Status',
    value: statusLabels[status],
    formula: 'The first rule that applies, from Critical to Excellent.',
    inputs: (
      ['criticalOpen', 'highThreats', 'assetsAtRisk', 'newVulnerabilities', 'totalThreats'] as const
    ).map((count) => inputOf(counts, count)),
    bands: rules.map(({ value, rule }) => ({ label: statusLabels[value], rule, current: value === status })),
  };
}

export function explainImpact({ totals, counts }: State): Explained {
  const value = estimatedImpact(totals);
  return {
    label: 'Estimated Impact',
    value,
    formula: 'Replacement cost + recovery cost of all assets at risk, in USD. A missing cost counts as 0.',
    inputs: [
      inputOf(counts, 'assetsAtRisk'),
      { name: 'Sum of their replacement and recovery costs', value, query: null },
    ],
  };
}

export function explainExposure({ totals }: State): Explained {
  const open = openSeverities(totals);
  const value = meanSeverity(open);
  const level = value === null ? undefined : exposureLevel(value);
  return {
    label: 'Risk Exposure',
    value,
    formula: 'Sum of the severities ÷ number of the open vulnerabilities with a severity, to one decimal.',
    inputs: [
      { name: 'Sum of their severities', value: open.sum, query: null },
      {
        name: 'Open vulnerabilities with a severity',
        value: open.count,
        query: `${overviewLinks.open}&severityMin=0`,
      },
    ],
    bands: [
      { label: 'High', rule: '7 or more' },
      { label: 'Medium', rule: '4 to 6.9' },
      { label: 'Low', rule: 'Below 4' },
    ].map((band) => ({ ...band, current: band.label === level })),
  };
}
