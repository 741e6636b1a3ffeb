import { sql } from 'kysely';
import type { RecordTableName } from '../reports/assertions.ts';
import type { ListSource } from './source.ts';

/** Filters of a list of threats or vulnerabilities by what they belong to: a report, an asset, or any asset of a project. */
export function recordMembers(table: RecordTableName): Required<ListSource>['members'] {
  const record = sql.ref(`l.${table}_id`);
  const relations = sql.table(`${table}_asset`);
  return {
    fileId: (fileId) => sql`
      select ${record} from report_record l
      where l.organization_id = current_organization() and l.file_id = ${fileId}::uuid and ${record} is not null`,
    assetId: (assetId) => sql`
      select ${record} from ${relations} l
      where l.organization_id = current_organization() and l.asset_id = ${assetId}::uuid`,
    projectId: (projectId) => sql`
      select distinct ${record} from asset a
      join ${relations} l on l.organization_id = a.organization_id and l.asset_id = a.id
      where a.organization_id = current_organization() and a.project_id = ${projectId}::uuid`,
  };
}
