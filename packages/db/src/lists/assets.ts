import { assetEntity } from '@riskboard/contract';
import { sql } from 'kysely';
import { entitySource } from './entity-source.ts';

type Link = 'threat_asset' | 'vulnerability_asset';

/**
 * Assets with what is derived from their relations: risk score and health (spec 9, Assets; spec 4). Every asset has a
 * project: a left join lets PostgreSQL skip it when the name is not selected.
 */
const derivedFrom = (counts: string) => `(
  select a.*, p.name as project_name, counts.threats, counts.vulnerabilities,
    least(10, round((coalesce(a.confidentiality_level, 0) + coalesce(a.integrity_level, 0) + coalesce(a.availability_level, 0)
      + 0.5 * counts.threats + 0.7 * counts.vulnerabilities + 2 * coalesce(a.criticality, 0)) / 3.0, 1)) as risk_score,
    case when counts.threats = 0 and counts.vulnerabilities = 0 then 'Healthy'
      when counts.vulnerabilities > 3 or counts.threats > 5 then 'Critical' else 'Warning' end as health
  from asset a
  left join project p on p.organization_id = a.organization_id and p.id = a.project_id
  ${counts}
) r`;

const counted = (table: Link) => `(
    select asset_id, count(*)::int as n from ${table} where organization_id = current_organization() group by asset_id
  )`;

/** Counts in one scan of all relations; PostgreSQL skips it when no selected column needs it. */
const from = derivedFrom(`
  left join ${counted('threat_asset')} t on t.asset_id = a.id
  left join ${counted('vulnerability_asset')} v on v.asset_id = a.id
  cross join lateral (select coalesce(t.n, 0) as threats, coalesce(v.n, 0) as vulnerabilities) counts`);

const countOf = (table: Link) =>
  `(select count(*)::int from ${table} l where l.organization_id = a.organization_id and l.asset_id = a.id)`;

/** Counts per asset. */
const shown = derivedFrom(`
  cross join lateral (
    select ${countOf('threat_asset')} as threats, ${countOf('vulnerability_asset')} as vulnerabilities offset 0
  ) counts`);

/** The list of assets (contract, assets). */
export const assetSource = {
  ...entitySource(assetEntity, {
    from,
    derived: ['riskScore', 'health', 'status', 'threatCount', 'vulnerabilityCount'],
    columns: {
      riskScore: { sql: 'r.risk_score', type: 'numeric', required: true },
      health: { sql: 'r.health', type: 'text', required: true },
      status: {
        sql: `case when r.health = 'Critical' or r.risk_score >= 7 then 'at-risk' else '' end`,
        type: 'text',
      },
      threatCount: { sql: 'r.threats', type: 'integer', required: true },
      vulnerabilityCount: { sql: 'r.vulnerabilities', type: 'integer', required: true },
    },
    search: (pattern) => sql`(r.name ilike ${pattern} or r.description ilike ${pattern})`,
    extra: {},
  }),
  shown,
};
