import { assetRiskScore } from './asset.ts';

/** The formula of spec 9, Assets, in words. */
export const assetScoreFormula =
  '(confidentiality + integrity + availability + 0.5 × threats + 0.7 × vulnerabilities + 2 × criticality) ÷ 3, rounded to one decimal, at most 10. A level that is not set counts as 0. Related threats and vulnerabilities of every status count, also resolved ones.';

/** What the score of an asset depends on. */
export interface AssetScoreInputs {
  confidentialityLevel: number | null;
  integrityLevel: number | null;
  availabilityLevel: number | null;
  criticality: number | null;
  threatCount: number;
  vulnerabilityCount: number;
}

/** A related threat or vulnerability; `value` is its risk level (0-100) or its severity (0-10). */
export interface ScoredRecord {
  _id: string;
  name: string;
  value: number | null;
  /** Of a vulnerability. */
  status?: string;
}

export const scoreParts = [
  'confidentiality',
  'integrity',
  'availability',
  'criticality',
  'threat',
  'vulnerability',
  'other-threats',
  'other-vulnerabilities',
  'rounding',
  'cap',
] as const;

/** One line of the explanation: what it is, its value, and what it adds to the score. */
export interface ScoreContribution {
  part: (typeof scoreParts)[number];
  /** Label, or the name of a record. */
  what: string;
  /** Level, risk level, severity, or how many others; null for a line without a value. */
  value: number | null;
  /** At most three decimals; negative for the cap. */
  adds: number;
  /** Of a threat or vulnerability. */
  _id: string | null;
  /** Of a vulnerability; it does not change what the line adds. */
  status?: string;
}

/** Thousandths of the score for each unit of what is counted. */
const per = { level: 1000 / 3, criticality: 2000 / 3, threat: 500 / 3, vulnerability: 700 / 3 } as const;

interface Related {
  /** Some of the related threats and vulnerabilities; the others are summed. */
  threats: readonly ScoredRecord[];
  vulnerabilities: readonly ScoredRecord[];
}

/**
 * What each level, threat and vulnerability adds to the score. The values add up to the score exactly, in decimals: the
 * difference that rounding makes, and what the maximum of 10 cuts off, are lines of their own.
 */
export function assetScoreContributions(inputs: AssetScoreInputs, related: Related): ScoreContribution[] {
  const lines = [
    level('confidentiality', 'Confidentiality', inputs.confidentialityLevel),
    level('integrity', 'Integrity', inputs.integrityLevel),
    level('availability', 'Availability', inputs.availabilityLevel),
    level('criticality', 'Criticality', inputs.criticality),
    ...records('threat', related.threats, inputs.threatCount),
    ...records('vulnerability', related.vulnerabilities, inputs.vulnerabilityCount),
  ];
  const sum = lines.reduce((total, { thousandths }) => total + thousandths, 0);
  const uncapped = roundedScore(inputs) * 100;
  const score = Math.round(scoreOf(inputs) * 1000);
  const ends = [
    line('rounding', { what: 'Rounding', value: null, thousandths: uncapped - sum }),
    line('cap', { what: 'Maximum of 10', value: 10, thousandths: score - uncapped }),
  ].filter(({ thousandths }) => thousandths !== 0);
  return [...lines, ...ends].map(({ thousandths, ...rest }) => ({ ...rest, adds: thousandths / 1000 }));
}

/** The score of these inputs, 0 to 10, one decimal. */
export const scoreOf = (inputs: AssetScoreInputs): number =>
  assetRiskScore({
    criticality: inputs.criticality,
    confidentiality: inputs.confidentialityLevel,
    integrity: inputs.integrityLevel,
    availability: inputs.availabilityLevel,
    threats: inputs.threatCount,
    vulnerabilities: inputs.vulnerabilityCount,
  });

/** The score in tenths before the maximum applies. */
function roundedScore(inputs: AssetScoreInputs): number {
  const levels =
    (inputs.confidentialityLevel ?? 0) + (inputs.integrityLevel ?? 0) + (inputs.availabilityLevel ?? 0);
  const tenths =
    10 * levels + 5 * inputs.threatCount + 7 * inputs.vulnerabilityCount + 20 * (inputs.criticality ?? 0);
  return Math.round(tenths / 3);
}

type Line = Omit<ScoreContribution, 'adds'> & { thousandths: number };
type Part = ScoreContribution['part'];

const line = (
  part: Part,
  { _id = null, ...rest }: Omit<Line, 'part' | '_id'> & { _id?: string | null },
): Line => ({
  part,
  ...rest,
  _id,
});

const level = (
  part: Extract<Part, 'confidentiality' | 'integrity' | 'availability' | 'criticality'>,
  what: string,
  value: number | null,
): Line =>
  line(part, {
    what,
    value,
    thousandths: Math.round((value ?? 0) * (part === 'criticality' ? per.criticality : per.level)),
  });

const others = {
  threat: { part: 'other-threats', what: 'Other threats' },
  vulnerability: { part: 'other-vulnerabilities', what: 'Other vulnerabilities' },
} as const;

function records(kind: 'threat' | 'vulnerability', named: readonly ScoredRecord[], count: number): Line[] {
  const lines = named.map(({ name, ...record }) =>
    line(kind, { ...record, what: name, thousandths: Math.round(per[kind]) }),
  );
  const rest = count - named.length;
  if (rest <= 0) return lines;
  const { part, what } = others[kind];
  return [...lines, line(part, { what, value: rest, thousandths: Math.round(rest * per[kind]) })];
}

/** Names of what changed a score, as the history stores them. */
export const scoreCauses = {
  created: 'Asset created',
  restored: 'Asset restored',
  imported: 'Imported',
  levels: 'Levels or criticality edited',
  'threat-related': 'Threat related',
  'threat-unrelated': 'Threat no longer related',
  'vulnerability-related': 'Vulnerability related',
  'vulnerability-unrelated': 'Vulnerability no longer related',
  daily: 'Daily record',
  example: 'Example history of the demo',
} as const;
export type ScoreCause = keyof typeof scoreCauses;
