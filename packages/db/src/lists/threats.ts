import { threatEntity } from '@riskboard/contract';
import { riskBands } from '@riskboard/domain';
import { sql } from 'kysely';
import { entitySource, listColumns, timeRange } from './entity-source.ts';
import { linkedRecords } from './linked-rows.ts';
import { recordSearch } from './search.ts';

/** Above 60 high, above 30 medium, up to 30 low. */
const risks = Object.fromEntries(
  riskBands.map(({ value, above }, n) => {
    const upTo = riskBands[n - 1]?.above;
    return [value, `r.risk_level > ${above}${upTo === undefined ? '' : ` and r.risk_level <= ${upTo}`}`];
  }),
);

const risk = `case ${Object.entries(risks)
  .map(([value, condition]) => `when ${condition} then '${value}'`)
  .join(' ')} else '' end`;

/** The list of threats (contract, threats). */
export const threatSource = entitySource(threatEntity, {
  from: `(select ${listColumns(threatEntity)}, level_changed_at from threat) r`,
  columns: { risk: { sql: risk, type: 'text' } },
  conditions: { risk: risks },
  compared: ['sourceFile'],
  sparse: [
    'risk',
    'threatTypeId',
    'threatCategory',
    'motivation',
    'capability',
    'likelihood',
    'impact',
    'withdrawn',
  ],
  counter: 'threats',
  ...recordSearch('threat'),
  linked: linkedRecords('threat'),
  extra: {
    imported: (imported) => (imported === 'true' ? sql`r.source_file <> ''` : sql`r.source_file = ''`),
    riskLevelAbove: (bound) => sql`r.risk_level > ${bound}::numeric`,
    ...timeRange('levelChangedAt', 'r.level_changed_at'),
  },
});
