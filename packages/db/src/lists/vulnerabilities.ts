import { vulnerabilityList } from '@riskboard/contract';
import { severityBands } from '@riskboard/domain';
import { sql } from 'kysely';
import { recordsLike } from './search.ts';
import type { ListSource } from './source.ts';

/** Each band ends where the one above it begins. */
const bands = severityBands.map(({ value, from }, n) => {
  const above = severityBands[n - 1]?.from;
  return { value, ...(from > 0 ? { from } : {}), ...(above === undefined ? {} : { below: above }) };
});

/** The list of vulnerabilities (contract, vulnerabilities). */
export const vulnerabilitySource: ListSource<typeof vulnerabilityList.fields> = {
  fields: vulnerabilityList.fields,
  // What a list shows: the long texts and details of a record are neither read nor sent.
  from: `(select organization_id, id, name, description, severity, status, cve_id, cwe, cvss_score, cvss_vector, cvss_version,
    cwss_score, category_id, exploitability, impact, discovery_date, fix_date, source_file, applied_vignette, withdrawn,
    is_active, created_at, updated_at from vulnerability) r`,
  columns: {
    sourceFile: { sql: 'r.source_file', type: 'text' },
    name: { sql: 'r.name', type: 'text', required: true },
    cveId: { sql: 'r.cve_id', type: 'text' },
    cwe: { sql: 'r.cwe', type: 'text[]' },
    severity: { sql: 'r.severity', type: 'numeric', bands },
    status: {
      sql: 'r.status',
      type: 'text',
      required: true,
      meanings: { new: `r.status = 'open' and r.created_at > now() - interval '30 days'` },
    },
    categoryId: { sql: 'r.category_id', type: 'integer' },
    cvssScore: { sql: 'r.cvss_score', type: 'numeric' },
    cvssVersion: { sql: 'r.cvss_version', type: 'text' },
    cwssScore: { sql: 'r.cwss_score', type: 'numeric' },
    exploitability: { sql: 'r.exploitability', type: 'numeric' },
    impact: { sql: 'r.impact', type: 'numeric' },
    appliedVignette: { sql: 'r.applied_vignette', type: 'text' },
    withdrawn: { sql: `coalesce(r.withdrawn, '')`, type: 'text' },
    discoveryDate: { sql: 'r.discovery_date', type: 'timestamptz' },
    fixDate: { sql: 'r.fix_date', type: 'timestamptz' },
    createdAt: { sql: 'r.created_at', type: 'timestamptz', required: true },
    updatedAt: { sql: 'r.updated_at', type: 'timestamptz', required: true },
  },
  search: (pattern) => recordsLike('vulnerability', pattern),
  extra: {
    fileId: (fileId) =>
      sql`r.id in (select vulnerability_id from report_record where organization_id = current_organization() and file_id = ${fileId}::uuid)`,
    assetId: (assetId) =>
      sql`r.id in (select vulnerability_id from vulnerability_asset where organization_id = current_organization() and asset_id = ${assetId}::uuid)`,
    imported: (imported) => (imported === 'true' ? sql`r.source_file <> ''` : sql`r.source_file = ''`),
    severityAbove: (bound) => sql`r.severity > ${bound}::numeric`,
  },
};
