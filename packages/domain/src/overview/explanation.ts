import { severityBands } from '../scales.ts';
import { estimatedImpact, type LedgerTotals, type OverviewCounts, overviewCounts } from './counts.ts';
import { firstNewDay } from './days.ts';
import { exposureLevel, meanSeverity, openSeverities } from './exposure.ts';
import { overviewLinks } from './insights.ts';
import {
  overallRisk,
  overallRiskBands,
  overallRiskWeights,
  type RiskCount,
  riskCounts,
  remediationRate,
} from './overall-risk.ts';
import { securityStatusLimits, securityStatusOf } from './security-status.ts';

export interface ExplanationInput {
  readonly name: string;
  readonly value: number;
  /** What one of it adds, where the formula weighs it. */
  readonly weight?: number;
  /** What it adds to the value; those of all inputs add up to the value exactly. */
  readonly adds?: number;
  /** The list with exactly `value` rows; null without such a list. */
  readonly query: string | null;
}

export interface NumberExplanation {
  readonly label: string;
  readonly value: number | string | null;
  readonly formula: string;
  readonly inputs: readonly ExplanationInput[];
  readonly bands: readonly { readonly label: string; readonly rule: string; readonly current: boolean }[];
}

interface State {
  readonly totals: LedgerTotals;
  readonly counts: OverviewCounts;
  /** UTC day, YYYY-MM-DD. */
  readonly today: string;
}

type Explained = Omit<NumberExplanation, 'bands'> & Partial<Pick<NumberExplanation, 'bands'>>;

const countInputs = {
  totalThreats: { name: 'Threats', query: overviewLinks.threats },
  openVulnerabilities: { name: 'Open vulnerabilities', query: overviewLinks.open },
  newVulnerabilities: { name: 'New vulnerabilities', query: overviewLinks.new },
  assetsAtRisk: { name: 'Assets at risk', query: overviewLinks.atRisk },
  criticalOpen: { name: 'Open critical vulnerabilities', query: overviewLinks.criticalOpen },
  highThreats: { name: 'Threats with a high risk level', query: overviewLinks.highThreats },
} as const;

const inputOf = (counts: OverviewCounts, count: keyof typeof countInputs): ExplanationInput => ({
  ...countInputs[count],
  value: counts[count],
});

/** A part of a count: one of it adds one. */
const part = (name: string, value: number, query: string): ExplanationInput => ({
  name,
  value,
  adds: value,
  query,
});
/** A part that the count leaves out. */
const leftOut = (name: string, value: number, query: string): ExplanationInput => ({
  name,
  value,
  adds: -value,
  query,
});

/** A part of the calculation that counts no rows. */
const calculated = (name: string, value: number): ExplanationInput[] =>
  value === 0 ? [] : [{ name, value, adds: value, query: null }];

function explainRisk({ counts }: State): Explained {
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
      ...calculated('Cap at 100', cap),
    ],
    bands: overallRiskBands.map(({ label, from }, at) => {
      const above = overallRiskBands[at - 1]?.from;
      const rule = above === undefined ? `${from} or more` : `${from} to ${above - 1}`;
      return { label, rule, current: label === band.label };
    }),
  };
}

function explainThreats({ counts: { totalThreats, highThreats } }: State): Explained {
  return {
    label: 'Total Threats',
    value: totalThreats,
    formula: 'All threats of the organization. High: a risk level above 60.',
    inputs: [
      part(countInputs.highThreats.name, highThreats, overviewLinks.highThreats),
      part(
        'Threats with a lower risk level, or without one',
        totalThreats - highThreats,
        '/dashboard/threats?risk=medium&risk=low&risk=N%2FA',
      ),
    ],
  };
}

function explainActiveThreats({ counts: { totalThreats, activeThreats } }: State): Explained {
  return {
    label: 'Active Threats',
    value: activeThreats,
    formula: 'Threats whose state is Active: all threats less the inactive ones.',
    inputs: [
      part('Threats', totalThreats, overviewLinks.threats),
      leftOut('Inactive threats', totalThreats - activeThreats, '/dashboard/threats?isActive=false'),
    ],
  };
}

function explainOpen({ totals, counts }: State): Explained {
  const bands = totals.get('openSeverity');
  return {
    label: 'Open Vulnerabilities',
    value: counts.openVulnerabilities,
    formula: 'Vulnerabilities with the status Open, by severity.',
    inputs: [
      ...severityBands.map(({ value, label }) =>
        part(`${label} severity`, bands?.get(value)?.count ?? 0, `${overviewLinks.open}&severity=${value}`),
      ),
      part('Without a severity', bands?.get('none')?.count ?? 0, `${overviewLinks.open}&severity=N%2FA`),
    ],
  };
}

function explainNew({ counts: { openVulnerabilities, newVulnerabilities }, today }: State): Explained {
  const last = new Date(Date.parse(`${firstNewDay(today)}T00:00:00.000Z`) - 1).toISOString();
  return {
    label: 'New Vulnerabilities',
    value: newVulnerabilities,
    formula:
      'Open vulnerabilities that were created today or on one of the 30 days before, in UTC: all open ones less the older ones.',
    inputs: [
      part(countInputs.openVulnerabilities.name, openVulnerabilities, overviewLinks.open),
      leftOut(
        'Open vulnerabilities that were created earlier',
        openVulnerabilities - newVulnerabilities,
        `${overviewLinks.open}&createdAtMax=${encodeURIComponent(last)}`,
      ),
    ],
  };
}

function explainAtRisk({ counts: { assets, assetsAtRisk } }: State): Explained {
  return {
    label: 'Assets at Risk',
    value: assetsAtRisk,
    formula: 'Assets with the health Critical or a risk score of 7 or more: all assets less the others.',
    inputs: [
      part('Assets', assets, '/dashboard/assets'),
      leftOut('Assets that are not at risk', assets - assetsAtRisk, '/dashboard/assets?status=N%2FA'),
    ],
  };
}

function explainRate({ counts }: State): Explained {
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

function explainStatus({ counts }: State): Explained {
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

function explainImpact({ totals, counts }: State): Explained {
  return {
    label: 'Estimated Impact',
    value: estimatedImpact(totals),
    formula: 'Replacement cost + recovery cost of all assets at risk, in USD. A missing cost counts as 0.',
    inputs: [inputOf(counts, 'assetsAtRisk')],
  };
}

function explainExposure({ totals }: State): Explained {
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

const explanations = {
  overallRisk: explainRisk,
  totalThreats: explainThreats,
  activeThreats: explainActiveThreats,
  openVulnerabilities: explainOpen,
  newVulnerabilities: explainNew,
  assetsAtRisk: explainAtRisk,
  remediationRate: explainRate,
  securityStatus: explainStatus,
  estimatedImpact: explainImpact,
  riskExposure: explainExposure,
} as const satisfies Record<string, (state: State) => Explained>;

/** Numbers of the overview that can be explained. */
export type ExplainedNumber = keyof typeof explanations;

/** How a number of the overview comes about, with the lists of the rows behind it (contract, Explanations). */
export function explainNumber(
  metric: ExplainedNumber,
  totals: LedgerTotals,
  today: string,
): NumberExplanation {
  return { bands: [], ...explanations[metric]({ totals, counts: overviewCounts(totals, today), today }) };
}

/** Whether a lower or a higher number is better. */
export const goodDirections = {
  overallRisk: 'lower',
  totalThreats: 'lower',
  activeThreats: 'lower',
  openVulnerabilities: 'lower',
  newVulnerabilities: 'lower',
  assetsAtRisk: 'lower',
  // 100 when nothing is left to remediate (spec 9, Overview).
  remediationRate: 'higher',
  estimatedImpact: 'lower',
  riskExposure: 'lower',
} as const satisfies Partial<Record<ExplainedNumber, 'lower' | 'higher'>>;
