import { threatList, threats } from '@riskboard/contract';
import { dayOrMoment, id, number } from '../../../lib/list/search-schema.ts';
import { defineListSource, type StateOf } from '../../../ui/list/define-list-source.ts';

const { list, facets, export: exported } = threats;

/** Every threat of the organization (spec 2, Threats list). `peek`: the row whose panel is open. */
export const threatsSource = defineListSource({
  route: '/dashboard/threats',
  noun: 'threats',
  list: threatList,
  // Rated threats first: rows without a value come last in both directions.
  sort: '-riskLevel',
  calls: { list, facets, export: exported },
  rows: (reply) => reply.threats,
  // Those after `projectId` are set by links: of a metric card (an exclusive lower bound), and of the overview.
  extra: {
    fileId: id,
    assetId: id,
    projectId: id,
    riskLevelAbove: number,
    levelChangedAtMin: dayOrMoment,
    levelChangedAtMax: dayOrMoment,
  },
  pageState: { peek: id },
});
export type ThreatsSearch = StateOf<typeof threatsSource>;

/** Threats from reports: rows without a source file are not included (spec 5, Lists). */
export const threatDataSource = defineListSource({
  route: '/dashboard/reports/threats',
  noun: 'threats',
  list: threatList,
  calls: { list, facets, export: exported },
  base: { imported: 'true' },
  rows: (reply) => reply.threats,
  extra: { fileId: id },
  pageState: { peek: id },
});
export type ThreatDataSearch = StateOf<typeof threatDataSource>;
