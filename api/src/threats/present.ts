import type { Threat, ThreatDetail } from '@riskboard/contract';
import type { ThreatTable } from '@riskboard/db';
import type { Selectable } from 'kysely';
import type { FullRecord } from '../records/find.ts';

export type ThreatRow = Selectable<ThreatTable>;

/** The only road from a threat's row to the wire. */
export const presentThreat = (row: ThreatRow): Threat => ({
  _id: row.id,
  name: row.name,
  description: row.description,
  threatID: row.threat_id,
  kind: row.kind,
  threatTypeId: row.threat_type_id,
  threatCategory: row.threat_category,
  motivation: row.motivation,
  capability: row.capability,
  likelihood: row.likelihood,
  impact: row.impact,
  riskLevel: row.risk_level,
  riskLevelSource: row.risk_level_source,
  isActive: row.is_active,
  sourceFile: row.source_file,
  withdrawn: row.withdrawn,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** All of it, for the page about it. */
export function presentDetail(full: FullRecord, editedFields: string[]): ThreatDetail {
  const row = full.row as unknown as ThreatRow;
  return {
    ...presentThreat(row),
    source: row.source,
    motivationDescription: row.motivation_description,
    capabilityDescription: row.capability_description,
    likelihoodDescription: row.likelihood_description,
    impactDescription: row.impact_description,
    mitigationStrategy: row.mitigation_strategy,
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
