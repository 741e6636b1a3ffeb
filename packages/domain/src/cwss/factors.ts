/** A value of a CWSS factor: its code, word and weight in units of 1/10,000. */
export interface CwssValue {
  readonly code: string;
  readonly label: string;
  readonly weight: number;
}

export type CwssGroup = 'base' | 'attackSurface' | 'environmental';

/** Labels of the three groups of factors (CWSS 1.0.1, section 2). */
export const cwssGroups = {
  base: 'Base Finding',
  attackSurface: 'Attack Surface',
  environmental: 'Environmental',
} as const satisfies Record<CwssGroup, string>;

export interface CwssFactorRules {
  readonly label: string;
  readonly group: CwssGroup;
  /** What the factor measures. */
  readonly about: string;
  /** In the order of the standard; Q, whose weight is free, is not among them. */
  readonly values: readonly CwssValue[];
}

/** Weights are integers, so that scores are exact. */
export const weightUnit = 10_000;

/** In units, of a weight above 0 that may have more decimals: it is never rounded to 0, which would make a score 0. */
export const positiveWeight = (weight: number): number => Math.max(1, Math.round(weight * weightUnit));

const value = (code: string, label: string, weight: number): CwssValue => ({
  code,
  label,
  weight: Math.round(weight * weightUnit),
});

/** Values that every factor has (CWSS 1.0.1, section 2.2). Access Vector alone codes Unknown as U. */
const common = (medianWeight: number, unknown = 'UK'): readonly CwssValue[] => [
  value('D', 'Default', medianWeight),
  value(unknown, 'Unknown', 0.5),
  value('NA', 'Not Applicable', 1),
];

const layers = [
  value('A', 'Application', 1),
  value('S', 'System', 0.9),
  value('N', 'Network', 0.7),
  value('E', 'Enterprise Infrastructure', 1),
  ...common(0.9),
] as const;

const impacts = [
  value('C', 'Critical', 1),
  value('H', 'High', 0.9),
  value('M', 'Medium', 0.6),
  value('L', 'Low', 0.3),
  value('N', 'None', 0),
  ...common(0.6),
] as const;

/** Controls inside the software can stop an attack completely; those outside leave a tenth (CWSS 1.0.1, EC). */
const controls = (complete: number): readonly CwssValue[] => [
  value('N', 'None', 1),
  value('L', 'Limited', 0.9),
  value('M', 'Moderate', 0.7),
  value('I', 'Indirect (Defense-in-Depth)', 0.5),
  value('B', 'Best-Available', 0.3),
  value('C', 'Complete', complete),
  ...common(0.6),
];

/** The 16 factors of CWSS 1.0.1 in the order of the vector string. */
export const cwssFactors = {
  TI: {
    label: 'Technical Impact',
    group: 'base',
    about: 'What an attacker gains when the weakness is exploited',
    values: impacts,
  },
  AP: {
    label: 'Acquired Privilege',
    group: 'base',
    about: 'The privilege that an attacker has afterwards',
    values: [
      value('A', 'Administrator', 1),
      value('P', 'Partially-Privileged User', 0.9),
      value('RU', 'Regular User', 0.7),
      value('L', 'Limited / Guest', 0.6),
      value('N', 'None', 0.1),
      ...common(0.7),
    ],
  },
  AL: {
    label: 'Acquired Privilege Layer',
    group: 'base',
    about: 'The layer of that privilege',
    values: layers,
  },
  IC: {
    label: 'Internal Control Effectiveness',
    group: 'base',
    about: 'How well controls inside the software prevent an attack',
    values: controls(0),
  },
  FC: {
    label: 'Finding Confidence',
    group: 'base',
    about: 'How sure it is that an attacker can reach the weakness',
    values: [
      value('T', 'Proven True', 1),
      value('LT', 'Proven Locally True', 0.8),
      value('F', 'Proven False', 0),
      ...common(0.8),
    ],
  },
  RP: {
    label: 'Required Privilege',
    group: 'attackSurface',
    about: 'The privilege that an attacker needs before the attack',
    values: [
      value('N', 'None', 1),
      value('L', 'Limited / Guest', 0.9),
      value('RU', 'Regular User', 0.7),
      value('P', 'Partially-Privileged User', 0.6),
      value('A', 'Administrator', 0.1),
      ...common(0.7),
    ],
  },
  RL: {
    label: 'Required Privilege Layer',
    group: 'attackSurface',
    about: 'The layer of the required privilege',
    values: layers,
  },
  AV: {
    label: 'Access Vector',
    group: 'attackSurface',
    about: 'The channel through which an attacker reaches the weak code',
    values: [
      value('I', 'Internet', 1),
      value('R', 'Intranet', 0.8),
      value('V', 'Private Network', 0.8),
      value('A', 'Adjacent Network', 0.7),
      value('L', 'Local', 0.5),
      value('P', 'Physical', 0.2),
      ...common(0.75, 'U'),
    ],
  },
  AS: {
    label: 'Authentication Strength',
    group: 'attackSurface',
    about: 'The authentication in front of the weak code',
    values: [
      value('S', 'Strong', 0.7),
      value('M', 'Moderate', 0.8),
      value('W', 'Weak', 0.9),
      value('N', 'None', 1),
      ...common(0.85),
    ],
  },
  IN: {
    label: 'Level of Interaction',
    group: 'attackSurface',
    about: 'What a user must do for the attack to succeed',
    values: [
      value('A', 'Automated', 1),
      value('T', 'Typical / Limited', 0.9),
      value('M', 'Moderate', 0.8),
      value('O', 'Opportunistic', 0.3),
      value('H', 'High', 0.1),
      value('NI', 'No Interaction', 0),
      ...common(0.55),
    ],
  },
  SC: {
    label: 'Deployment Scope',
    group: 'attackSurface',
    about: 'The share of platforms or configurations that have the weakness',
    values: [
      value('A', 'All', 1),
      value('M', 'Moderate', 0.9),
      value('R', 'Rare', 0.5),
      value('P', 'Potentially Reachable', 0.1),
      ...common(0.7),
    ],
  },
  BI: {
    label: 'Business Impact',
    group: 'environmental',
    about: 'What a successful attack costs the business',
    values: impacts,
  },
  DI: {
    label: 'Likelihood of Discovery',
    group: 'environmental',
    about: 'How likely an attacker finds the weakness',
    values: [value('H', 'High', 1), value('M', 'Medium', 0.6), value('L', 'Low', 0.2), ...common(0.6)],
  },
  EX: {
    label: 'Likelihood of Exploit',
    group: 'environmental',
    about: 'How likely an attacker succeeds once the weakness is found',
    values: [
      value('H', 'High', 1),
      value('M', 'Medium', 0.6),
      value('L', 'Low', 0.2),
      value('N', 'None', 0),
      ...common(0.6),
    ],
  },
  EC: {
    label: 'External Control Effectiveness',
    group: 'environmental',
    about: 'How well controls outside the software prevent an attack',
    values: controls(0.1),
  },
  P: {
    label: 'Prevalence',
    group: 'environmental',
    about: 'How often this type of weakness occurs in software',
    values: [
      value('W', 'Widespread', 1),
      value('H', 'High', 0.9),
      value('C', 'Common', 0.8),
      value('L', 'Limited', 0.7),
      ...common(0.85),
    ],
  },
} as const satisfies Record<string, CwssFactorRules>;

export type CwssFactor = keyof typeof cwssFactors;

/** Codes of the factors in the order of the vector string. */
export const cwssOrder = Object.keys(cwssFactors) as CwssFactor[];

/** Whether it is the code of a factor. */
export const isCwssFactor = (code: string): code is CwssFactor => Object.hasOwn(cwssFactors, code);

/** Code of the value whose weight is free. */
export const quantified = 'Q';

/** The value of a factor by its code; undefined for Q and for unknown codes. Access Vector takes UK for U, too. */
export function cwssValueOf(factor: CwssFactor, code: string): CwssValue | undefined {
  const own = factor === 'AV' && code === 'UK' ? 'U' : code;
  const { values }: CwssFactorRules = cwssFactors[factor];
  return values.find((one) => one.code === own);
}
