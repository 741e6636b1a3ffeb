import type { Vulnerability, VulnerabilityDetail } from '@riskboard/contract';
import type { VulnerabilityTable } from '@riskboard/db';
import { vulnerabilityCategories } from '@riskboard/domain';
import type { Selectable } from 'kysely';
import type { FullRecord } from '../records/find.ts';

export type VulnerabilityRow = Selectable<VulnerabilityTable>;

const categories: Readonly<Record<number, string>> = vulnerabilityCategories;

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
  cvssVersion: row.cvss_version,
  cwssScore: row.cwss_score,
  categoryId: row.category_id,
  category: categories[row.category_id ?? 0] ?? '',
  exploitability: row.exploitability,
  impact: row.impact,
  discoveryDate: row.discovery_date?.toISOString() ?? null,
  fixDate: row.fix_date?.toISOString() ?? null,
  sourceFile: row.source_file,
  appliedVignette: row.applied_vignette,
  withdrawn: row.withdrawn,
  isActive: row.is_active,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** All of it, for the page about it. */
export function presentDetail(full: FullRecord, editedFields: string[]): VulnerabilityDetail {
  const row = full.row as unknown as VulnerabilityRow;
  return {
    ...presentVulnerability(row),
    severityDescription: row.severity_description,
    exploitabilityDescription: row.exploitability_description,
    remediationLevel: row.remediation_level,
    remediationSteps: row.remediation_steps,
    solution: row.solution,
    mitigation: row.mitigation,
    reference: row.reference,
    relatedAssets: full.relatedAssets,
    details: row.details,
    editedFields,
    imported: full.imported,
    createdBy: row.created_by,
    updatedBy: full.updatedBy,
    version: row.version,
  };
}
