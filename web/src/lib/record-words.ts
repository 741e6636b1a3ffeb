import { notAvailable } from '@riskboard/contract';
import { fiveLevels, threatTypes, threeLevels, vulnerabilityCategories } from '@riskboard/domain';
import { formatDate } from './format/format.ts';
import type { RecordNoun } from './record-queries.ts';

/** A status as a person reads it; any other value displays 'Unknown' (spec 4). */
export const statusWords = {
  open: 'Open',
  mitigated: 'Mitigated',
  fixed: 'Fixed',
  accepted: 'Accepted',
} as const;

const isStatus = (status: string): status is keyof typeof statusWords => Object.hasOwn(statusWords, status);
export const statusWord = (status: string): string => (isStatus(status) ? statusWords[status] : 'Unknown');

/** What a report may have said of a record since. */
export const withdrawalWords: Readonly<Record<string, string>> = {
  revoked: 'Revoked',
  deprecated: 'Deprecated',
};

/** The word of a number on a scale, such as 3 of `fiveLevels`; undefined beyond the scale or of none. */
export const levelWord = (
  scale: Readonly<Record<number, string>>,
  level: number | string | null,
): string | undefined => (level === null ? undefined : scale[Number(level)]);

/** How the value of a field is read. */
type Reading = (value: string | number | boolean) => string;

const plain: Reading = String;
const day: Reading = (value) => formatDate(String(value));
const on =
  (scale: Readonly<Record<number, string>>): Reading =>
  (value) =>
    levelWord(scale, Number(value)) ?? String(value);
const activity: Reading = (value) => (value === true || value === 'true' ? 'Active' : 'Inactive');

interface FieldWords {
  readonly label: string;
  readonly read?: Reading;
}

/** Fields that a person may set or a report may say, in the order in which they are read (spec 3). */
export const recordFields = {
  vulnerabilities: {
    name: { label: 'Name' },
    description: { label: 'Description' },
    severity: { label: 'Severity' },
    severityDescription: { label: 'Severity description' },
    status: { label: 'Status', read: (value) => statusWord(String(value)) },
    cveId: { label: 'CVE' },
    cwe: { label: 'CWE' },
    cvssScore: { label: 'CVSS' },
    cvssVector: { label: 'CVSS vector' },
    categoryId: { label: 'Category', read: on(vulnerabilityCategories) },
    exploitability: { label: 'Exploitability' },
    exploitabilityDescription: { label: 'Exploitability description' },
    impact: { label: 'Impact' },
    remediationLevel: { label: 'Remediation level' },
    remediationSteps: { label: 'Remediation steps' },
    solution: { label: 'Solution' },
    mitigation: { label: 'Mitigation' },
    reference: { label: 'Reference' },
    discoveryDate: { label: 'Discovery date', read: day },
    fixDate: { label: 'Fix date', read: day },
    isActive: { label: 'Activity', read: activity },
  },
  threats: {
    name: { label: 'Name' },
    description: { label: 'Description' },
    threatID: { label: 'Threat ID' },
    threatTypeId: { label: 'Type', read: on(threatTypes) },
    source: { label: 'Source' },
    threatCategory: { label: 'Category' },
    motivation: { label: 'Motivation', read: on(threeLevels) },
    motivationDescription: { label: 'Motivation description' },
    capability: { label: 'Capability', read: on(threeLevels) },
    capabilityDescription: { label: 'Capability description' },
    likelihood: { label: 'Likelihood', read: on(fiveLevels) },
    likelihoodDescription: { label: 'Likelihood description' },
    impact: { label: 'Impact', read: on(fiveLevels) },
    impactDescription: { label: 'Impact description' },
    riskLevel: { label: 'Risk level' },
    mitigationStrategy: { label: 'Compensating Controls' },
    reference: { label: 'Reference' },
    isActive: { label: 'Activity', read: activity },
  },
} as const satisfies Record<RecordNoun, Record<string, FieldWords>>;

const wordsOf = (noun: RecordNoun, field: string): FieldWords | undefined =>
  (recordFields[noun] as Readonly<Record<string, FieldWords>>)[field];

/** What people call a field of a record. */
export const fieldLabel = (noun: RecordNoun, field: string): string => wordsOf(noun, field)?.label ?? field;

/** A field's value as people read it; 'N/A' for an empty one. */
export function fieldText(noun: RecordNoun, field: string, value: unknown): string {
  const read = wordsOf(noun, field)?.read ?? plain;
  const values = [value].flat().filter((one) => one !== null && one !== undefined && one !== '');
  if (values.length === 0) return notAvailable;
  return values
    .map((one) => (typeof one === 'object' ? JSON.stringify(one) : read(one as string | number | boolean)))
    .join(', ');
}
