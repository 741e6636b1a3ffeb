import type { Vulnerability } from '@riskboard/contract';
import type { VulnerabilityTable } from '@riskboard/db';
import type { Selectable } from 'kysely';

export const listColumns = [
  'id',
  'name',
  'description',
  'severity',
  'status',
  'cve_id',
  'cwe',
  'cvss_score',
  'cvss_vector',
  'cwss_score',
  'source_file',
  'applied_vignette',
  'withdrawn',
  'created_at',
  'updated_at',
] as const;

export type VulnerabilityRow = Pick<Selectable<VulnerabilityTable>, (typeof listColumns)[number]>;

/** The only road from a vulnerability's row to the wire. */
export const presentVulnerability = (row: VulnerabilityRow): Vulnerability => ({
  _id: row.id,
  name: row.name,
  description: row.description,
  severity: row.severity,
  status: row.status,
  cveId: row.cve_id,
  cwe: row.cwe,
  cvssScore: row.cvss_score,
  cvssVector: row.cvss_vector,
  cwssScore: row.cwss_score,
  sourceFile: row.source_file,
  appliedVignette: row.applied_vignette,
  withdrawn: row.withdrawn,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
