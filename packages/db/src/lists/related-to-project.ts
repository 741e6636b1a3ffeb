import { type RawBuilder, sql } from 'kysely';

/** Condition on the row `r`: a threat or vulnerability that is related to any asset of the project. */
export const relatedToProject = (
  table: 'threat' | 'vulnerability',
  projectId: string,
): RawBuilder<boolean> => {
  const record = sql.ref(`l.${table}_id`);
  return sql<boolean>`r.id in (
    select ${record} from asset a
    join ${sql.table(`${table}_asset`)} l on l.organization_id = a.organization_id and l.asset_id = a.id
    where a.organization_id = current_organization() and a.project_id = ${projectId}::uuid)`;
};
