import { assetList } from '@riskboard/contract';
import { sql } from 'kysely';
import type { ListSource } from './source.ts';

/** Assets with what is derived from their relations: counts, risk score and health (spec 9, Assets; spec 4). */
const from = `(
  select a.*, p.name as project_name, counts.threats, counts.vulnerabilities,
    least(10, round((coalesce(a.confidentiality_level, 0) + coalesce(a.integrity_level, 0) + coalesce(a.availability_level, 0)
      + 0.5 * counts.threats + 0.7 * counts.vulnerabilities + 2 * coalesce(a.criticality, 0)) / 3.0, 1)) as risk_score,
    case when counts.threats = 0 and counts.vulnerabilities = 0 then 'Healthy'
      when counts.vulnerabilities > 3 or counts.threats > 5 then 'Critical' else 'Warning' end as health
  from asset a
  join project p on p.organization_id = a.organization_id and p.id = a.project_id
  cross join lateral (
    select
      (select count(*)::int from threat_asset t where t.organization_id = a.organization_id and t.asset_id = a.id) as threats,
      (select count(*)::int from vulnerability_asset v where v.organization_id = a.organization_id and v.asset_id = a.id) as vulnerabilities
  ) counts
) r`;

/** The list of assets (contract, assets). */
export const assetSource: ListSource<typeof assetList.fields> = {
  fields: assetList.fields,
  from,
  columns: {
    name: { sql: 'r.name', type: 'text', required: true },
    assetTypeId: { sql: 'r.asset_type_id', type: 'integer', required: true },
    criticality: { sql: 'r.criticality', type: 'integer' },
    confidentialityLevel: { sql: 'r.confidentiality_level', type: 'integer' },
    integrityLevel: { sql: 'r.integrity_level', type: 'integer' },
    availabilityLevel: { sql: 'r.availability_level', type: 'integer' },
    riskScore: { sql: 'r.risk_score', type: 'numeric', required: true },
    health: { sql: 'r.health', type: 'text', required: true },
    status: {
      sql: `case when r.health = 'Critical' or r.risk_score >= 7 then 'at-risk' else '' end`,
      type: 'text',
    },
    projectId: { sql: 'r.project_id', type: 'uuid', required: true },
    createdAt: { sql: 'r.created_at', type: 'timestamptz', required: true },
    updatedAt: { sql: 'r.updated_at', type: 'timestamptz', required: true },
  },
  search: (pattern) => sql`(r.name ilike ${pattern} or r.description ilike ${pattern})`,
  extra: {},
};
