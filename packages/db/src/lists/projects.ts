import { projectList } from '@riskboard/contract';
import { sql } from 'kysely';
import type { ListSource } from './source.ts';

/**
 * Projects with their counts: assets, and threats and vulnerabilities that are related to any of them (contract,
 * Project counts). And who changed them last, as they are called now.
 */
const shown = `(
  select p.*,
    (select count(*)::int from asset a where a.organization_id = p.organization_id and a.project_id = p.id) as assets,
    (select count(distinct t.threat_id)::int from asset a
      join threat_asset t on t.organization_id = a.organization_id and t.asset_id = a.id
      where a.organization_id = p.organization_id and a.project_id = p.id) as threats,
    (select count(distinct v.vulnerability_id)::int from asset a
      join vulnerability_asset v on v.organization_id = a.organization_id and v.asset_id = a.id
      where a.organization_id = p.organization_id and a.project_id = p.id) as vulnerabilities,
    coalesce((select trim(c.first_name || ' ' || c.last_name) from account c where c.id = p.updated_by), '') as changer
  from project p
) r`;

/** The list of projects (contract, projects). */
export const projectSource: ListSource<typeof projectList.fields> & { shown: string } = {
  fields: projectList.fields,
  from: 'project r',
  shown,
  columns: {
    name: { sql: 'r.name', type: 'text', required: true },
    status: { sql: 'r.status', type: 'text', required: true },
    startDate: { sql: 'r.start_date', type: 'timestamptz', required: true },
    plannedEndDate: { sql: 'r.planned_end_date', type: 'timestamptz' },
    createdAt: { sql: 'r.created_at', type: 'timestamptz', required: true },
    updatedAt: { sql: 'r.updated_at', type: 'timestamptz', required: true },
  },
  search: (pattern) => sql`(r.name ilike ${pattern} or r.description ilike ${pattern})`,
  extra: {},
};
