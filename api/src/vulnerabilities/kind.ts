import { vulnerabilitySource } from '@riskboard/db';
import { parseCvssVector } from '@riskboard/domain';
import { cvssBaseScore } from '@riskboard/cvss';
import { invalidField } from '../lib/http/failure.ts';
import type { RecordKind, Values } from '../records/kind.ts';

/** Fields that a person may set, and their columns. */
const columns = {
  name: 'name',
  description: 'description',
  severity: 'severity',
  severityDescription: 'severity_description',
  status: 'status',
  cveId: 'cve_id',
  cwe: 'cwe',
  cvssScore: 'cvss_score',
  cvssVector: 'cvss_vector',
  categoryId: 'category_id',
  exploitability: 'exploitability',
  exploitabilityDescription: 'exploitability_description',
  impact: 'impact',
  remediationLevel: 'remediation_level',
  remediationSteps: 'remediation_steps',
  solution: 'solution',
  mitigation: 'mitigation',
  reference: 'reference',
  discoveryDate: 'discovery_date',
  fixDate: 'fix_date',
  isActive: 'is_active',
} as const;

/**
 * A vector always wins over a bare score (contract, CVSS), also over one that comes later.
 * @throws Failure 422 on cvssVector
 */
function derive(asked: Values, now: Values | undefined): Values {
  const { cve_id: id, cvss_vector: vector } = asked;
  const cve = typeof id === 'string' ? { cve_id: id.toUpperCase() } : {};
  if (typeof vector !== 'string') {
    const scored = typeof now?.['cvss_vector'] === 'string' && now['cvss_vector'] !== '';
    return scored && asked['cvss_score'] !== undefined ? { ...cve, cvss_score: now['cvss_score'] } : cve;
  }
  if (vector === '') return { ...cve, cvss_version: '' };
  const parsed = parseCvssVector(vector);
  if (!parsed.ok) throw invalidField('cvssVector', parsed.message);
  return {
    ...cve,
    cvss_vector: parsed.vector,
    cvss_score: cvssBaseScore(parsed),
    cvss_version: parsed.version,
  };
}

export const vulnerabilityKind: RecordKind = {
  noun: 'vulnerabilities',
  table: 'vulnerability',
  words: { one: 'vulnerability', many: 'vulnerabilities' },
  event: 'vulnerability.changed',
  source: vulnerabilitySource,
  columns,
  together: [['cvss_vector', 'cvss_score', 'cvss_version']],
  derive,
};
