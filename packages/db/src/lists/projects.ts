import { projectEntity } from '@riskboard/contract';
import { sql } from 'kysely';
import { entitySource } from './entity-source.ts';
import { isAnyLike } from './like.ts';

/**
 * Projects with their counts: assets, and threats and vulnerabilities that are related to any of them (contract,
 * Project counts).
 */
const derivedFrom = (counts: string, changer = '') => `(
  select p.*, counts.assets, counts.threats, counts.vulnerabilities${changer}
  from project p
  ${counts}
) r`;

type Link = 'threat' | 'vulnerability';

const related = (link: Link) => `(
    select a.project_id, count(distinct l.${link}_id)::int as n from asset a
    join ${link}_asset l on l.organization_id = a.organization_id and l.asset_id = a.id
    where a.organization_id = current_organization() group by a.project_id
  )`;

/** Counts in one scan of all assets and relations; PostgreSQL skips each when no selected column needs it. */
const from = derivedFrom(`
  left join (
    select project_id, count(*)::int as n from asset where organization_id = current_organization() group by project_id
  ) a on a.project_id = p.id
  left join ${related('threat')} t on t.project_id = p.id
  left join ${related('vulnerability')} v on v.project_id = p.id
  cross join lateral (
    select coalesce(a.n, 0) as assets, coalesce(t.n, 0) as threats, coalesce(v.n, 0) as vulnerabilities
  ) counts`);

const relatedOf = (link: Link) => `
    (select count(distinct l.${link}_id)::int from asset a
      join ${link}_asset l on l.organization_id = a.organization_id and l.asset_id = a.id
      where a.organization_id = p.organization_id and a.project_id = p.id)`;

/** Counts per project, with the current name of the user who changed it last. */
const shown = derivedFrom(
  `
  cross join lateral (
    select
      (select count(*)::int from asset a where a.organization_id = p.organization_id and a.project_id = p.id) as assets,
      ${relatedOf('threat')} as threats, ${relatedOf('vulnerability')} as vulnerabilities offset 0
  ) counts`,
  `,
    coalesce((select trim(c.first_name || ' ' || c.last_name) from account c where c.id = p.updated_by), '') as changer`,
);

/** The list of projects (contract, projects). */
export const projectSource = {
  ...entitySource(projectEntity, {
    from,
    derived: ['assets', 'threats', 'vulnerabilities'],
    columns: {
      assets: { sql: 'r.assets', type: 'integer', required: true },
      threats: { sql: 'r.threats', type: 'integer', required: true },
      vulnerabilities: { sql: 'r.vulnerabilities', type: 'integer', required: true },
    },
    rowColumns: ['created_by', 'changer', 'assets', 'threats', 'vulnerabilities'],
    search: (pattern) => isAnyLike(['name', 'description'], pattern),
    isCountedWhole: true,
    extra: {},
  }),
  shown,
};

/** Projects to choose from: their names, without the counts, for which relations are read. */
export const projectNames = {
  ...projectSource,
  from: 'project r',
  shown: '(select organization_id, id, name from project) r',
  rowColumns: sql`r.id, r.name`,
};
