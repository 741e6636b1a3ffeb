import { assetEntity } from '@riskboard/contract';
import { isAssetAtRisk } from '../records/asset-risk.ts';
import { entitySource, listColumns, reportedByAlert, timeRange } from './entity-source.ts';
import { linkedAssets } from './linked-rows.ts';
import { assetSearch } from './search.ts';

/**
 * The list of assets (contract, assets). The name of the project is looked up for the rows of a page: a join is planned for
 * few assets, and would read and join all of an organization for each page of 500. Ids are read without it.
 */
export const assetSource = entitySource(assetEntity, {
  from: `(
    select a.*, (
      select p.name from project p where p.organization_id = a.organization_id and p.id = a.project_id
    ) as project_name from (select ${listColumns(assetEntity)}, risk_changed_at from asset) a
  ) r`,
  ids: `(select ${listColumns(assetEntity)}, risk_changed_at from asset) r`,
  columns: {
    status: {
      sql: `case when ${isAssetAtRisk('r')} then 'at-risk' else '' end`,
      type: 'text',
    },
  },
  rowColumns: ['project_name'],
  labels: { projectId: { sql: 'r.project_name', at: 'r.created_at' } },
  sparse: ['status', 'replacementCost', 'recoveryCost', 'startDate'],
  counter: 'assets',
  ...assetSearch,
  linked: linkedAssets,
  extra: {
    alert: reportedByAlert,
    ...timeRange('riskChangedAt', 'r.risk_changed_at'),
  },
});
