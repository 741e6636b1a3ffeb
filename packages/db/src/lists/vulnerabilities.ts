import { vulnerabilityEntity } from '@riskboard/contract';
import { sql } from 'kysely';
import { entitySource, listColumns } from './entity-source.ts';
import { relatedToProject } from './related-to-project.ts';
import { recordsLike } from './search.ts';

/** The list of vulnerabilities (contract, vulnerabilities). */
export const vulnerabilitySource = entitySource(vulnerabilityEntity, {
  from: `(select ${listColumns(vulnerabilityEntity)} from vulnerability) r`,
  columns: {},
  conditions: {
    status: { new: `r.status = 'open' and r.created_at > now() - interval '30 days'` },
  },
  search: (pattern) => recordsLike('vulnerability', pattern),
  extra: {
    fileId: (fileId) =>
      sql`r.id in (select vulnerability_id from report_record where organization_id = current_organization() and file_id = ${fileId}::uuid)`,
    assetId: (assetId) =>
      sql`r.id in (select vulnerability_id from vulnerability_asset where organization_id = current_organization() and asset_id = ${assetId}::uuid)`,
    projectId: (projectId) => relatedToProject('vulnerability', projectId),
    imported: (imported) => (imported === 'true' ? sql`r.source_file <> ''` : sql`r.source_file = ''`),
    severityAbove: (bound) => sql`r.severity > ${bound}::numeric`,
  },
});
