import { threatList, threats } from '@riskboard/contract';
import { z } from 'zod';
import { defineListSource, type StateOf } from '../../ui/table/define-list-source.ts';

const Id = z.uuid().optional().catch(undefined);
/** A bound that is itself left out, of a metric card's link. */
const Bound = z.coerce.number().optional().catch(undefined);
const { list, facets, export: exported } = threats;

/** Every threat of the organization (spec 2, Threats list). `peek`: the row whose panel is open. */
export const threatsSource = defineListSource({
  route: '/dashboard/threats',
  noun: 'threats',
  list: threatList,
  calls: { list, facets, export: exported },
  rows: (reply) => reply.threats,
  extra: { fileId: Id, assetId: Id, riskLevelAbove: Bound },
  pageState: { peek: Id },
});
export type ThreatsSearch = StateOf<typeof threatsSource>;

/** What reports gave: rows without a source file are no part of it (spec 5, Lists). */
export const threatDataSource = defineListSource({
  route: '/dashboard/reports/threats',
  noun: 'threats',
  list: threatList,
  calls: { list, facets, export: exported },
  base: { imported: 'true' },
  rows: (reply) => reply.threats,
  extra: { fileId: Id },
  pageState: { peek: Id },
});
export type ThreatDataSearch = StateOf<typeof threatDataSource>;
