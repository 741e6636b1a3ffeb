import type { Threat } from '@riskboard/contract';
import type { ThreatTable } from '@riskboard/db';
import type { Selectable } from 'kysely';

export const listColumns = [
  'id',
  'name',
  'description',
  'threat_id',
  'kind',
  'threat_type_id',
  'risk_level',
  'source_file',
  'withdrawn',
  'created_at',
  'updated_at',
] as const;

export type ThreatRow = Pick<Selectable<ThreatTable>, (typeof listColumns)[number]>;

/** The only road from a threat's row to the wire. */
export const presentThreat = (row: ThreatRow): Threat => ({
  _id: row.id,
  name: row.name,
  description: row.description,
  threatID: row.threat_id,
  kind: row.kind,
  threatTypeId: row.threat_type_id,
  riskLevel: row.risk_level,
  sourceFile: row.source_file,
  withdrawn: row.withdrawn,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
