import { sql } from 'kysely';
import type { RecordTableName } from '../reports/assertions.ts';
import type { ListSource, LinkedRows } from './source.ts';

type LinkFilters = Required<ListSource>['linked'];

interface Links {
  table: string;
  /** Its column of the list's rows. */
  row: string;
  /** Its column of what they belong to. */
  of: string;
}

/** Rows that a table links to something, each once. `offset 0` makes the planner look the links of each row up. */
const linkedBy =
  ({ table, row, of }: Links) =>
  (value: string): LinkedRows => {
    const links = sql`from ${sql.table(table)} l where l.organization_id = current_organization() and ${sql.ref(`l.${of}`)} = ${value}::uuid`;
    const linked = sql.ref(`l.${row}`);
    return {
      ids: sql`select ${linked} ${links} and ${linked} is not null`,
      isMet: sql`exists (select ${links} and ${linked} = r.id offset 0)`,
    };
  };

/** Filters of a list of threats or vulnerabilities by what they belong to: a report, an asset, or any asset of a project. */
export function linkedRecords(table: RecordTableName): LinkFilters {
  const [row, relations] = [`${table}_id`, `${table}_asset`];
  return {
    fileId: linkedBy({ table: 'report_record', row, of: 'file_id' }),
    assetId: linkedBy({ table: relations, row, of: 'asset_id' }),
    projectId(projectId) {
      const linked = sql.ref(`l.${row}`);
      const links = sql`from ${sql.table(relations)} l where l.organization_id = current_organization()`;
      return {
        ids: sql`
          select distinct ${linked} from asset a
          join ${sql.table(relations)} l on l.organization_id = a.organization_id and l.asset_id = a.id
          where a.organization_id = current_organization() and a.project_id = ${projectId}::uuid`,
        isMet: sql`exists (
          select ${links} and ${linked} = r.id and ${projectId}::uuid = (
            select a.project_id from asset a where a.organization_id = current_organization() and a.id = l.asset_id)
          offset 0)`,
      };
    },
  };
}

/** Filters of the list of assets by what they are related to: a threat, a vulnerability, an asset that they depend on. */
export const linkedAssets: LinkFilters = {
  threatId: linkedBy({ table: 'threat_asset', row: 'asset_id', of: 'threat_id' }),
  vulnerabilityId: linkedBy({ table: 'vulnerability_asset', row: 'asset_id', of: 'vulnerability_id' }),
  dependsOn: linkedBy({ table: 'asset_relation', row: 'asset_id', of: 'related_id' }),
};
