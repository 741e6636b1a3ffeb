import type { Asset, AssetDetail } from '@riskboard/contract';
import type { AssetTable } from '@riskboard/db';
import { isAtRisk } from '@riskboard/domain';
import type { Selectable } from 'kysely';

/** A row of the list's source: the asset and what is derived from its relations. */
export interface AssetRow extends Selectable<AssetTable> {
  project_name: string;
  threats: number;
  vulnerabilities: number;
  risk_score: number;
  health: Asset['health'];
}

/** An asset with what a page about it needs besides its row. */
export interface FullAsset extends AssetRow {
  children: AssetDetail['relatedAssets'];
  parents: AssetDetail['parentAssets'];
  its_threats: AssetDetail['threats'];
  its_vulnerabilities: AssetDetail['vulnerabilities'];
  /** Who changed it last, as they are called now. */
  changer: string;
}

/** The only road from an asset's row to the wire. */
export const presentAsset = (row: AssetRow): Asset => ({
  _id: row.id,
  name: row.name,
  description: row.description,
  projectId: row.project_id,
  projectName: row.project_name,
  assetTypeId: row.asset_type_id,
  criticality: row.criticality,
  replacementCost: row.replacement_cost,
  recoveryCost: row.recovery_cost,
  confidentialityLevel: row.confidentiality_level,
  integrityLevel: row.integrity_level,
  availabilityLevel: row.availability_level,
  riskScore: row.risk_score,
  health: row.health,
  threatCount: row.threats,
  vulnerabilityCount: row.vulnerabilities,
  startDate: row.start_date?.toISOString() ?? null,
  isActive: row.is_active,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** What an export holds: the columns of the list, in a file for people the project by its name. */
export function presentExported(row: AssetRow, format: 'csv' | 'json'): Record<string, unknown> {
  const asset = presentAsset(row);
  return {
    ...asset,
    status: isAtRisk(asset) ? 'at-risk' : null,
    ...(format === 'csv' ? { projectId: asset.projectName } : {}),
  };
}

/** All of it, for the page about it. */
export const presentDetail = (row: FullAsset): AssetDetail => ({
  ...presentAsset(row),
  confidentialityDescription: row.confidentiality_description,
  integrityDescription: row.integrity_description,
  availabilityDescription: row.availability_description,
  reference: row.reference,
  relatedAssets: row.children,
  parentAssets: row.parents,
  threats: row.its_threats,
  vulnerabilities: row.its_vulnerabilities,
  createdBy: row.created_by,
  updatedBy: row.changer,
  version: row.version,
});
