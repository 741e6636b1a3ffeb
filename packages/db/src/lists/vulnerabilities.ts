import { vulnerabilityEntity } from '@riskboard/contract';
import { sql } from 'kysely';
import { entitySource, listColumns, reportedByAlert, timeRange } from './entity-source.ts';
import { linkedRecords } from './linked-rows.ts';
import { recordSearch } from './search.ts';

/** Open, and created today or on one of the 30 UTC days before (contract, Meanings; decision 0036). */
export const isNewVulnerability = `r.status = 'open'
  and r.created_at >= (date_trunc('day', now() at time zone 'UTC') - interval '30 days') at time zone 'UTC'`;

const onAssets: Readonly<Record<string, string>> = {
  any: 'r.asset_count > 0',
  'mission-critical': 'r.critical_asset_count > 0',
};

/** The list of vulnerabilities (contract, vulnerabilities). */
export const vulnerabilitySource = entitySource(vulnerabilityEntity, {
  from: `(
    select ${listColumns(vulnerabilityEntity)}, asset_count, critical_asset_count, cwss_vignette_id,
      status_changed_at, severity_changed_at
    from vulnerability
  ) r`,
  columns: {},
  conditions: {
    status: { new: isNewVulnerability },
  },
  compared: ['sourceFile'],
  sparse: [
    'cwe',
    'categoryId',
    'fixDate',
    'exploitability',
    'impact',
    'appliedVignette',
    'withdrawn',
    'cwssState',
    'cwssStale',
    'cwssOverrides',
  ],
  counter: 'vulnerabilities',
  ...recordSearch('vulnerability'),
  linked: linkedRecords('vulnerability'),
  extra: {
    alert: reportedByAlert,
    vignetteId: (vignetteId) => sql`r.cwss_vignette_id = ${vignetteId}::uuid`,
    imported: (imported) => (imported === 'true' ? sql`r.source_file <> ''` : sql`r.source_file = ''`),
    severityAbove: (bound) => sql`r.severity > ${bound}::numeric`,
    onAssets: (relation) => sql.raw(onAssets[relation] ?? 'false'),
    ...timeRange('statusChangedAt', 'r.status_changed_at'),
    ...timeRange('severityChangedAt', 'r.severity_changed_at'),
  },
});
