import { threatList } from '@riskboard/contract';
import { riskBands } from '@riskboard/domain';
import { sql } from 'kysely';
import { recordsLike } from './search.ts';
import type { ListSource } from './source.ts';

/** Above 60 high, above 30 medium, up to 30 low. */
const risks = Object.fromEntries(
  riskBands.map(({ value, above }, n) => {
    const upTo = riskBands[n - 1]?.above;
    return [value, `r.risk_level > ${above}${upTo === undefined ? '' : ` and r.risk_level <= ${upTo}`}`];
  }),
);

const risk = `case ${Object.entries(risks)
  .map(([value, condition]) => `when ${condition} then '${value}'`)
  .join(' ')} else '' end`;

/** The list of threats (contract, threats). */
export const threatSource: ListSource<typeof threatList.fields> = {
  fields: threatList.fields,
  // What a list shows: the long texts and details of a record are neither read nor sent.
  from: `(select organization_id, id, name, description, threat_id, kind, threat_type_id, threat_category, motivation,
    capability, likelihood, impact, risk_level, risk_level_source, is_active, source_file, withdrawn, created_at,
    updated_at from threat) r`,
  columns: {
    sourceFile: { sql: 'r.source_file', type: 'text' },
    name: { sql: 'r.name', type: 'text', required: true },
    threatID: { sql: 'r.threat_id', type: 'text' },
    kind: { sql: 'r.kind', type: 'text' },
    threatTypeId: { sql: 'r.threat_type_id', type: 'integer' },
    threatCategory: { sql: 'r.threat_category', type: 'text' },
    motivation: { sql: 'r.motivation', type: 'integer' },
    capability: { sql: 'r.capability', type: 'integer' },
    likelihood: { sql: 'r.likelihood', type: 'integer' },
    impact: { sql: 'r.impact', type: 'integer' },
    riskLevel: { sql: 'r.risk_level', type: 'numeric' },
    risk: { sql: risk, type: 'text', meanings: risks },
    isActive: { sql: 'r.is_active', type: 'boolean', required: true },
    withdrawn: { sql: `coalesce(r.withdrawn, '')`, type: 'text' },
    createdAt: { sql: 'r.created_at', type: 'timestamptz', required: true },
    updatedAt: { sql: 'r.updated_at', type: 'timestamptz', required: true },
  },
  search: (pattern) => recordsLike('threat', pattern),
  extra: {
    fileId: (fileId) =>
      sql`r.id in (select threat_id from report_record where organization_id = current_organization() and file_id = ${fileId}::uuid)`,
    assetId: (assetId) =>
      sql`r.id in (select threat_id from threat_asset where organization_id = current_organization() and asset_id = ${assetId}::uuid)`,
    imported: (imported) => (imported === 'true' ? sql`r.source_file <> ''` : sql`r.source_file = ''`),
    riskLevelAbove: (bound) => sql`r.risk_level > ${bound}::numeric`,
  },
};
